/**
 * How many guesses anybody has: buckets of tokens. A guess takes one before it is looked at, a right password gives it
 * back, and one comes back every so often.
 */

/** Of the tokens of a bucket; taken ones come back one after the other. */
export interface LockOut {
  readonly guesses: number;
  readonly secondsEach: number;
}

/** Of a name, from a network that the user has not come in from of late. */
export const NETWORK_LOCK_OUT: LockOut = { guesses: 5, secondsEach: 180 };

/** Of a name, from everywhere that the user has not come in from of late: it slows guesses down, and keeps nobody out for long. */
export const NAME_LOCK_OUT: LockOut = { guesses: 60, secondsEach: 10 };

/** Of an address, whatever names it gives: colleagues behind one router share it until each of them has come in. */
export const SOURCE_LOCK_OUT: LockOut = { guesses: 20, secondsEach: 45 };

/** Of a name, from an address where the user has come in of late. Nothing else keeps them out there. */
export const KNOWN_LOCK_OUT: LockOut = { guesses: 20, secondsEach: 45 };

const DAY_SECONDS = 86_400;

/** How long an address that a user has come in from counts as theirs, and when that is renewed. */
export const KNOWN_SOURCE_SECONDS = 30 * DAY_SECONDS;
const RENEWED_BELOW_SECONDS = KNOWN_SOURCE_SECONDS - DAY_SECONDS;

/** One write a day for each address. */
export const isToBeRenewed = (knownUntilS: number, nowMs: number): boolean =>
  knownUntilS - nowMs / 1000 < RENEWED_BELOW_SECONDS;

/** The most that anybody can have looked at in a day that begins with a full bucket. */
export const guessesPerDay = ({ guesses, secondsEach }: LockOut): number =>
  guesses + DAY_SECONDS / secondsEach;
