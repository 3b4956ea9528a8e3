/** After how many failures, and for how long, nobody is let in: longer with each failure, and never for ever. */
import type { Failures } from "../store/sign-in.ts";

export interface LockOut {
  /** Failures that cost nothing. */
  readonly free: number;
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

/** Of a user name, wherever the failures come from. Addresses that the user has come in from are not locked out by it. */
export const USER_LOCK_OUT: LockOut = { free: 4, firstSeconds: 30, longestSeconds: 900 };

/** Of an address, whatever names it gives: colleagues behind one router share it. */
export const SOURCE_LOCK_OUT: LockOut = { free: 19, firstSeconds: 30, longestSeconds: 900 };

/** How long after the last one failures are forgotten. */
export const FORGOTTEN_SECONDS = 3600;

/** How long an address that a user has come in from counts as theirs. */
export const KNOWN_SOURCE_SECONDS = 30 * 86_400;

/** Doubles with each failure after the first that locks out. @returns 0 while failures are free. */
export function lockOutSeconds(failures: number, { free, firstSeconds, longestSeconds }: LockOut): number {
  return failures <= free ? 0 : Math.min(longestSeconds, firstSeconds * 2 ** (failures - free - 1));
}

export const isLockedOut = ({ failures, last_ms }: Failures, rule: LockOut, nowMs: number): boolean =>
  nowMs < last_ms + lockOutSeconds(failures, rule) * 1000;
