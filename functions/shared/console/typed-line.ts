/**
 * The messages of the line that is being typed. API Gateway hands each message to a function of its own, so a message can arrive after
 * messages that the client sent later. The line is then typed again, with all messages in the order in which API Gateway received them:
 *
 *     "p" "n"    screen "pn"
 *     "i" late   the line is erased and typed again, screen "pin"
 */
import { ASSISTED_KEYS } from "@wirelab/engine/terminal/assistant";
import { feed, type TerminalState } from "@wirelab/engine/terminal/terminal";
import type { TypedLine, TypedText } from "../store/console/console.ts";

/** A message that is older than this many others is not put in its place. */
const MAX_MESSAGES = 256;
/** Keys that end a line: Enter and Ctrl-C. */
const END_KEYS = ["\r", "\n", "\x03"];

/** Text to type, beginning with a state of the terminal. */
export interface Typing {
  readonly from: TerminalState;
  readonly messages: readonly TypedText[];
  /** Whether the line is typed again. */
  readonly isRepeated: boolean;
}

export const startLine = (terminal: TerminalState): TypedLine => ({ start: terminal, messages: [] });

/** Whether a message is a single key that the keys before it must not miss: it ends the line, or asks what may follow. */
export const isAwaitingKey = ({ text }: TypedText): boolean =>
  END_KEYS.includes(text) || (ASSISTED_KEYS as readonly string[]).includes(text);

/** @param terminal the terminal after all messages of the line. */
export function arrange(line: TypedLine, terminal: TerminalState, fresh: readonly TypedText[]): Typing {
  const sorted = fresh.toSorted(byTime);
  const last = line.messages.at(-1);
  if (last === undefined || sorted.every((message) => byTime(last, message) <= 0))
    return { from: terminal, messages: sorted, isRepeated: false };
  return { from: line.start, messages: [...line.messages, ...fresh].toSorted(byTime), isRepeated: true };
}

/** Splits messages after the last one that ends a line. */
export function splitLines(messages: readonly TypedText[]): { ended: TypedText[]; begun: TypedText[] } {
  const count = messages.findLastIndex(({ text }) => END_KEYS.some((key) => text.includes(key))) + 1;
  return { ended: messages.slice(0, count), begun: messages.slice(count) };
}

/** Returns the line with messages at its end. */
export function continueLine(line: TypedLine, messages: readonly TypedText[], prompt: string): TypedLine {
  const all = [...line.messages, ...messages];
  const old = all.slice(0, -MAX_MESSAGES);
  return old.length === 0
    ? { ...line, messages: all }
    : { start: feed(line.start, textOf(old), prompt).state, messages: all.slice(-MAX_MESSAGES) };
}

export const textOf = (messages: readonly TypedText[]): string => messages.map(({ text }) => text).join("");

const byTime = (one: TypedText, other: TypedText): number => one.at_ms - other.at_ms;
