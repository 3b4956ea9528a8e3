/**
 * Asks for the helper machine. A request writes the intent and returns at once: its function may not call EC2, and a start takes minutes.
 * The function `helper` does the rest: advance.ts.
 */
import { randomUUID } from "node:crypto";
import { type ApiError, failureOf } from "../edge/errors.ts";
import { SIMVM_ERRORS } from "../edge/own-errors/simvm.ts";
import { nowUs } from "../store/base/table.ts";
import { STALE, untilFresh } from "../store/base/transact.ts";
import type { Helper } from "../store/helper/helper.ts";
import { helperConfig, isOnEc2, machineName } from "./config.ts";
import { type HelperStore, STORE } from "./helper-store.ts";

/** A use is noted at most this often. */
const NOTED_EVERY_US = 60_000_000;
/** The item stays small; a project that falls off the list is noted again with its next use. */
const MOST_PROJECTS = 500;

const WORDS: Readonly<Record<Helper["state"], readonly [words: string, retryAfterS: number]>> = {
  off: ["it is off", 20],
  wanted: ["its start has been asked for", 20],
  starting: ["EC2 is starting its instance", 15],
  booting: ["its instance runs, and its GNS3 server does not answer yet", 10],
  ready: ["it is ready", 1],
  stopping: ["it is stopping", 20],
};

/** The 503 of a machine that is not ready, with the words of the last step that failed. */
function notReady(name: string, { state, error }: Helper): ApiError {
  const [words, retryAfterS] = WORDS[state];
  const detail = error === undefined ? words : `${words} (${error})`;
  return failureOf(
    SIMVM_ERRORS,
    "simvm.unavailable",
    { words: `The helper machine ${name} is not ready: ${detail}; try again` },
    { retryAfterS },
  );
}

/**
 * Asks for the helper machine before compute `vm` is called, and notes that the project uses it. Does nothing unless the helper machine is
 * enabled with the engine `ec2`.
 * @throws ApiError `simvm.unavailable` (503) until it is ready.
 */
export async function ensureHelper(projectId?: string, store: HelperStore = STORE): Promise<void> {
  const config = helperConfig();
  if (config === undefined) return;
  const settings = await store.settings();
  if (!isOnEc2(settings)) return;
  const helper = await untilFresh(async () => {
    const before = await store.read();
    const changes = changesFor(before, projectId, nowUs());
    if (changes === undefined) return before;
    return (await store.write(before, changes)) ?? STALE;
  });
  if (helper.state !== "ready") throw notReady(machineName(config, settings), helper);
}

function changesFor(helper: Helper, projectId: string | undefined, now: number): Partial<Helper> | undefined {
  const { state, projects, used_us } = helper;
  const starts = state === "off" || state === "stopping";
  const isNew = projectId !== undefined && !projects.includes(projectId);
  if (!starts && !isNew && now - used_us < NOTED_EVERY_US) return undefined;
  return {
    used_us: now,
    ...(isNew && { projects: [...projects, projectId].slice(-MOST_PROJECTS) }),
    ...(starts && asked()),
  };
}

/** The changes that ask for a start. */
export const asked = (): Partial<Helper> => ({
  state: "wanted",
  enabled: true,
  token: randomUUID(),
  attempts: 0,
  error: undefined,
});
