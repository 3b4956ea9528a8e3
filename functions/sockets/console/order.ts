/**
 * The order of what is typed. Two functions may handle two messages of a connection at the same time, and one of them may have to be loaded
 * first, so messages can reach the table in another order than API Gateway, whose times they have. So a message waits for earlier ones: as
 * long as messages of the console are late, and longer while functions may be loading for a console that is new.
 */
import type { TypedText } from "../../shared/store/console/console.ts";

/** How late a message is that meets a loaded function. */
const USUAL_MS = 100;
/** Loading the function takes less. */
const LOADING_MS = 1_000;
const LONGEST_MS = 2_000;
const SPREAD = 1.5;
/** Keys that follow the first one, or a late one, within this time may each load a function. */
const NEW_MS = 3_000;

/**
 * Returns how long after its time a message is typed, in milliseconds.
 * @param seen the messages since the console is held.
 * @param isNew these are the first messages of the console.
 */
export function patienceMs(seen: readonly TypedText[], isNew: boolean, nowMs: number): number {
  const first = Math.min(...seen.map(({ at_ms }) => at_ms));
  const mayLoad = isNew && seen.length > 1 && nowMs < first + NEW_MS;
  const recent = seen.filter(({ at_ms }) => at_ms > nowMs - NEW_MS);
  const latest = Math.max(0, ...recent.map(({ late_ms = 0 }) => late_ms));
  return Math.max(mayLoad ? LOADING_MS : USUAL_MS, Math.min(latest * SPREAD, LONGEST_MS));
}

/**
 * Returns how many of the messages, which are in the order of their arrival, are typed now: those up to the last one such that all of them
 * have waited until `dueMs`, and none of the rest is earlier than one of them.
 */
export function countDue(messages: readonly TypedText[], dueMs: number): number {
  let count = 0;
  const earliestAfter = messages.reduceRight<number[]>((found, { at_ms }) => {
    found.push(Math.min(at_ms, found.at(-1) ?? Number.POSITIVE_INFINITY));
    return found;
  }, []);
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, { at_ms }] of messages.entries()) {
    if (at_ms > dueMs) break;
    last = Math.max(last, at_ms);
    const rest = earliestAfter[messages.length - index - 2] ?? Number.POSITIVE_INFINITY;
    if (last <= rest) count = index + 1;
  }
  return count;
}
