/** A console that this request holds: handles what was typed on it, in order, until there is no more. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Assistant } from "@wirelab/engine/terminal/assistant";
import { type EnteredLine, feed, type TerminalState, toScreen } from "@wirelab/engine/terminal/terminal";
import type { Access } from "../edge/access.ts";
import { ApiError } from "../edge/errors.ts";
import { keepPace } from "../edge/pace.ts";
import {
  type ConsoleItem,
  type ConsoleKey,
  getConsole,
  releaseConsole,
  removeConsole,
  saveProgress,
  type TypedLine,
  type TypedText,
} from "../store/console/console.ts";
import { runPace } from "../store/limits/pace.ts";
import { disconnect } from "../store/sockets/send.ts";
import { findAssistant, splitForAssistant } from "./assistant.ts";
import { piecesOf, textForOthers } from "./pieces.ts";
import { type Pace, play, REAL_TIME } from "./play.ts";
import { print, printOnOthers } from "./print.ts";
import { runLines } from "./run-lines.ts";
import { CLEAR_LINE, RunningSign } from "./running-sign.ts";
import { arrange, continueLine, isAwaitingKey, splitLines, startLine, textOf } from "./typed-line.ts";
import { whileRunning } from "./while-running.ts";

/** Lines of a paste that one run types. */
const LINES_PER_RUN = 256;
/** The time after the last pause for the rest of the output. */
const PLAY_RESERVE_MS = 5_000;
/** How long Enter waits for keys that were typed before it and arrive later. A pasted line does not wait. */
const SETTLE_MS = 250;
const INTERRUPT = "\x03";
export const GENERAL_FAULT = "The service failed; the command may not have run. Try again.";
/** Errors after which nothing more can be typed. */
const FINAL_ERRORS: ReadonlySet<string> = new Set([
  "node.not-started",
  "node.not-found",
  "node.no-console",
  "project.not-opened",
  "project.not-found",
  "access.read-only",
]);

/** Lines that wait for their run, and what follows them. */
export interface EnteredText {
  readonly lines: readonly EnteredLine[];
  /** What to print after the output of the last line. */
  readonly screen: string;
  /** Messages that follow. */
  readonly begun: readonly TypedText[];
  /** Ids of the messages that have been handled. */
  readonly seen: readonly string[];
}

export interface Surroundings {
  readonly access: Access;
  readonly pace: Pace;
  readonly remainingTimeMs: () => number;
  /** Has the function `guests` carry on with the console, because its lines run a lab with Linux nodes. Absent in that function. */
  readonly handOver?: (item: ConsoleItem, entered: EnteredText) => Promise<void>;
  /** The lab time of the run, in the function `guests`. */
  readonly labSeconds?: () => number;
}

/** Handles the input of a console that the request holds, and releases it. @throws the first fault that is not an ApiError. */
export async function handleInput(
  item: ConsoleItem,
  surroundings: Surroundings,
  entered?: EnteredText,
): Promise<void> {
  const held = new HeldConsole(item, surroundings, entered?.seen);
  if (entered !== undefined) await held.resume(entered);
  let current: ConsoleItem | undefined = entered === undefined ? item : await getConsole(item);
  while (current !== undefined && current.holder === item.holder && !held.isOver) {
    await held.handle(current);
    if (held.isOver || (await releaseConsole(current, held))) break;
    current = await getConsole(item);
  }
  if (held.fault !== undefined) throw held.fault;
}

class HeldConsole {
  readonly #key: ConsoleKey;
  readonly #holder: string;
  readonly #item: ConsoleItem;
  readonly #surroundings: Surroundings;
  readonly #seen: Set<string>;
  readonly #sign: RunningSign;
  #handled: number;
  /** Ctrl-C has ended the last line, or its output. */
  #wasInterrupted = false;
  #afterInterrupt = "";
  /** What follows the lines that are being run. */
  #begun: readonly TypedText[] = [];
  terminal: TerminalState;
  prompt: string;
  line: TypedLine;
  /** The console has been closed, or another request holds it. */
  isOver = false;
  fault: unknown;

  constructor(item: ConsoleItem, surroundings: Surroundings, seen: readonly string[] = []) {
    const { project_id, node_id, connection_id } = item;
    this.#key = { project_id, node_id, connection_id };
    this.#item = item;
    this.#seen = new Set(seen);
    this.#sign = new RunningSign((text) => print(connection_id, text));
    this.#holder = item.holder ?? "";
    this.#surroundings = surroundings;
    this.#handled = item.handled;
    this.terminal = item.terminal;
    this.prompt = item.prompt;
    this.line = item.line ?? startLine(item.terminal);
  }

  async handle(item: ConsoleItem): Promise<void> {
    this.#wasInterrupted = false;
    const fresh = this.#takeNew(item);
    const { from, messages, isRepeated } = arrange(this.line, this.terminal, [
      ...fresh,
      ...(await this.#takeLate(fresh)),
    ]);
    if (isRepeated) {
      this.terminal = from;
      this.line = startLine(from);
    }
    const { ended, begun } = splitLines(messages);
    const before = isRepeated ? CLEAR_LINE + this.prompt : "";
    if (ended.length > 0) {
      this.#begun = begun;
      await this.#type(textOf(ended), before);
      this.line = startLine(this.terminal);
    }
    await this.#finish(begun, ended.length > 0 ? "" : before);
  }

  /** Continues with lines that another function has entered. */
  async resume({ lines, screen, begun }: EnteredText): Promise<void> {
    this.#sign.isShown = true;
    await this.#perform(lines, screen, true);
    this.line = startLine(this.terminal);
    await this.#finish(begun);
  }

  /** Types what follows entered lines, and then what followed Ctrl-C. */
  async #finish(begun: readonly TypedText[], before = ""): Promise<void> {
    if (!this.#wasInterrupted && begun.length > 0) {
      const wasAssisted = await this.#type(textOf(begun), before);
      // A late key does not ask the assistant again.
      this.line = wasAssisted ? startLine(this.terminal) : continueLine(this.line, begun, this.prompt);
    }
    this.#begun = [];
    for (let text = this.#afterInterrupt; text !== ""; text = this.#afterInterrupt) {
      this.#afterInterrupt = "";
      this.#wasInterrupted = false;
      await this.#type(text);
      this.line = startLine(this.terminal);
    }
  }

  /** Returns the messages that have not been handled. */
  #takeNew({ input }: ConsoleItem): TypedText[] {
    const messages = input.slice(this.#handled).filter(({ id }) => !this.#seen.has(id));
    const distinct = new Map<string, TypedText>(messages.map((message) => [message.id, message]));
    this.#handled = input.length;
    for (const id of distinct.keys()) this.#seen.add(id);
    return [...distinct.values()];
  }

  /** Waits for messages that the client sent before a key that ends a line or asks for help. */
  async #takeLate(fresh: readonly TypedText[]): Promise<TypedText[]> {
    const endMs = fresh.findLast(isAwaitingKey)?.at_ms ?? Number.NEGATIVE_INFINITY;
    const waitMs = Math.min(endMs + SETTLE_MS - Date.now(), SETTLE_MS);
    if (waitMs <= 0) return [];
    await sleep(waitMs);
    const item = await getConsole(this.#key);
    return item?.holder === this.#holder ? this.#takeNew(item) : [];
  }

  /**
   * @param before what is printed before the echo of the text.
   * @returns whether a key asked the assistant.
   */
  async #type(text: string, before = ""): Promise<boolean> {
    const parts = splitForAssistant(text);
    const begun = this.#begun;
    let wasAssisted = false;
    for (const [index, part] of parts.entries()) {
      const assistant = part.isAssisted
        ? await findAssistant(this.#surroundings.access, this.#key)
        : undefined;
      wasAssisted ||= assistant !== undefined;
      this.#begun = [...this.#asMessage(parts.slice(index + 1)), ...begun];
      await this.#feed(part.text, index === 0 ? before : "", assistant);
      if (this.isOver || this.#wasInterrupted) break;
    }
    return wasAssisted;
  }

  /** Parts of a text that follow lines: another function may have to type them. */
  #asMessage(parts: readonly { readonly text: string }[]): TypedText[] {
    const text = parts.map((part) => part.text).join("");
    const at_ms = this.#item.input.at(-1)?.at_ms ?? 0;
    return text === "" ? [] : [{ id: crypto.randomUUID(), at_ms, text }];
  }

  async #feed(text: string, before: string, assistant: Assistant | undefined): Promise<void> {
    const { state, entered, screen } = feed(this.terminal, text, this.prompt, assistant);
    this.terminal = state;
    const [first, ...others] = entered;
    const lines = first ? [{ ...first, screen: before + first.screen }, ...others] : [];
    await this.#perform(lines, first ? screen : before + screen);
  }

  /**
   * Runs lines. @param screen what is printed after the output of the last one.
   * @param isCounted the first run of the lines has been counted.
   */
  async #perform(lines: readonly EnteredLine[], screen: string, isCounted = false): Promise<void> {
    for (let index = 0; index < lines.length && !this.isOver; index += LINES_PER_RUN) {
      const rest = { lines: lines.slice(index), screen };
      await this.#enter(rest, isCounted && index === 0);
      if (this.#wasInterrupted) return;
    }
    if (!this.isOver && screen !== "") await this.#print(screen);
  }

  /** Runs the first of the lines that are left, as many as one run takes. */
  async #enter(rest: Pick<EnteredText, "lines" | "screen">, isCounted: boolean): Promise<void> {
    let entered = rest.lines.slice(0, LINES_PER_RUN);
    if (entered.every(({ line }) => line.trim() === "")) {
      await this.#print(entered.map(({ screen }) => `${screen}\r\n${this.prompt}`).join(""));
      return;
    }
    const { terminal, prompt } = this;
    const progress = { terminal, prompt, line: startLine(terminal), handled: this.#handled };
    if (!(await saveProgress(this.#key, this.#holder, progress))) {
      this.isOver = true;
      return;
    }
    try {
      if (!isCounted) await keepPace(runPace, this.#surroundings.access.caller);
      if (this.#surroundings.labSeconds) entered = await this.#announce(entered);
      await this.#run(entered);
    } catch (error) {
      if (this.#surroundings.handOver && error instanceof ApiError && error.code === "node.needs-guests")
        await this.#handOver(rest);
      else await this.#explain(error, entered[0]!);
    }
  }

  async #run(entered: readonly EnteredLine[]): Promise<void> {
    const { access, remainingTimeMs, labSeconds } = this.#surroundings;
    const lines = entered.map(({ line }) => line);
    const isInterrupted = () => this.#wasInterrupted;
    const running = runLines(access, this.#key, lines, remainingTimeMs, isInterrupted);
    const { session, prompt, notice } = await (labSeconds
      ? whileRunning(running, () => this.#look(labSeconds()))
      : running);
    this.prompt = prompt ?? this.prompt;
    const end = notice === undefined ? "" : `${CLEAR_LINE}${notice}\r\n\r\n${this.prompt}`;
    const pieces = [...piecesOf(entered, session), { atNs: session.endedNs ?? 0, text: end }];
    if (!(await this.#play(pieces))) {
      this.#wasInterrupted = true;
      await this.#print(`^C\r\n\r\n${this.prompt}`);
    }
    await printOnOthers(this.#key, textForOthers(entered, session) + end);
  }

  /** Shows that a run computes, and looks for Ctrl-C. */
  async #look(labSeconds: number): Promise<void> {
    this.#wasInterrupted ||= await this.#isInterrupted();
    await this.#sign.show(labSeconds);
  }

  /** Prints the first line at once, because its output takes a while. @returns the lines without what has been printed. */
  async #announce(lines: readonly EnteredLine[]): Promise<EnteredLine[]> {
    const [first, ...others] = lines;
    if (first!.screen !== "") await this.#print(first!.screen);
    await this.#sign.show();
    return [{ line: first!.line, screen: "" }, ...others];
  }

  async #handOver({ lines, screen }: Pick<EnteredText, "lines" | "screen">): Promise<void> {
    const shown = await this.#announce(lines);
    if (this.isOver) return;
    const entered = { lines: shown, screen, begun: this.#begun, seen: [...this.#seen] };
    try {
      await this.#surroundings.handOver?.(this.#item, entered);
      this.isOver = true;
    } catch (error) {
      await this.#explain(error, shown[0]!);
    }
  }

  #play(pieces: Parameters<typeof play>[0]): Promise<boolean> {
    const { pace, remainingTimeMs } = this.#surroundings;
    return play(pieces, {
      ...REAL_TIME,
      print: (text) => this.#print(text),
      isInterrupted: () => this.#isInterrupted(),
      remainingTimeMs: () => (pace === "real" ? remainingTimeMs() - PLAY_RESERVE_MS : 0),
    });
  }

  /** Looks for Ctrl-C in what was typed during the output, and drops what was typed before it. */
  async #isInterrupted(): Promise<boolean> {
    const item = await getConsole(this.#key);
    const index = item?.input.findLastIndex(({ text }) => text.includes(INTERRUPT)) ?? -1;
    if (item === undefined || index < this.#handled) return false;
    const { text } = item.input[index]!;
    this.#handled = index + 1;
    this.#afterInterrupt = text.slice(text.lastIndexOf(INTERRUPT) + 1);
    this.terminal = feed(this.terminal, INTERRUPT, this.prompt).state;
    return true;
  }

  /** Prints an error as one line. Errors after which no command can run close the console. */
  async #explain(error: unknown, { screen }: EnteredLine): Promise<void> {
    const isExpected = error instanceof ApiError && error.cause === undefined;
    if (!isExpected) this.fault ??= error;
    const message = error instanceof ApiError ? error.message : GENERAL_FAULT;
    const isFinal = error instanceof ApiError && FINAL_ERRORS.has(error.code);
    await this.#print(`${screen}${toScreen(message)}\r\n${isFinal ? "" : `\r\n${this.prompt}`}`);
    if (!isFinal) return;
    this.isOver = true;
    await removeConsole(this.#key);
    await disconnect(this.#key.connection_id);
  }

  async #print(text: string): Promise<void> {
    if (this.isOver || (await print(this.#key.connection_id, this.#sign.take() + text))) return;
    this.isOver = true;
    await removeConsole(this.#key);
  }
}
