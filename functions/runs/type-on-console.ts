/** Carries on with a console whose lines run a lab with Linux nodes, until nothing more is typed: functions/sockets/console/hand-over.ts. */
import type { HandedConsole } from "../shared/console/handed-console.ts";
import { GENERAL_FAULT, handleInput, type Surroundings } from "../shared/console/held-console.ts";
import { print } from "../shared/console/print.ts";
import { CLEAR_LINE } from "../shared/console/running-sign.ts";
import { currentGuests } from "../shared/run/guests.ts";
import type { StoredAnswer, StoredRequest } from "../shared/run/stored-run.ts";
import { type ConsoleItem, passConsole } from "../shared/store/console/console.ts";

/** The hold of a function that has died lasts this much longer than the function could. */
const SPARE_MS = 1_000;
const DONE: StoredAnswer = { status: 204 };

export interface TypingRequest extends Pick<StoredRequest, "access" | "params" | "body"> {
  readonly remainingTimeMs: () => number;
}

/** @throws the first fault that is not an ApiError, which the console has shown. */
export async function typeOnConsole(request: TypingRequest): Promise<StoredAnswer> {
  const item = await takeConsole(request);
  if (item !== undefined) await handleInput(item, surroundingsOf(request), handedBy(request).entered);
  return DONE;
}

/** Shows that the function has failed while it held the console, and handles what was typed meanwhile. */
export async function reportOnConsole(request: TypingRequest): Promise<StoredAnswer> {
  const item = await takeConsole(request);
  if (item === undefined) return DONE;
  await print(item.connection_id, `${CLEAR_LINE}${GENERAL_FAULT}\r\n\r\n${item.prompt}`);
  await handleInput(item, surroundingsOf(request));
  return DONE;
}

const handedBy = ({ body }: TypingRequest): HandedConsole => body as HandedConsole;

/** Returns undefined when the console was closed, or no longer waits for this run. */
function takeConsole(request: TypingRequest): Promise<ConsoleItem | undefined> {
  const { project_id = "", node_id = "" } = request.params;
  const { run_id, connection_id, holder } = handedBy(request);
  const untilMs = Date.now() + request.remainingTimeMs() + SPARE_MS;
  return passConsole({ project_id, node_id, connection_id }, holder, { holder: run_id, untilMs });
}

const surroundingsOf = ({ access, remainingTimeMs }: TypingRequest): Surroundings => ({
  access,
  // A function with guests costs the most while it waits.
  pace: "once",
  remainingTimeMs,
  labSeconds: () => currentGuests()?.elapsedSeconds ?? 0,
});
