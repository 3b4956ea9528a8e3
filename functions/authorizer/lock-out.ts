/**
 * Limits of password guesses, as token buckets. A guess takes a token before it is checked, a right password gives it
 * back, and the bucket regains one at a fixed interval.
 */

/** The size of a bucket, and the seconds until it regains each taken token. */
export interface LockOut {
  readonly guesses: number;
  readonly secondsEach: number;
}

/** For a name, from a network with no address known for the user. */
export const NETWORK_LOCK_OUT: LockOut = { guesses: 5, secondsEach: 180 };

/** For a name, from all addresses unknown for the user: slows guesses down, and locks no user out for long. */
export const NAME_LOCK_OUT: LockOut = { guesses: 60, secondsEach: 10 };

/** For an address, with any names: colleagues behind one router share it until each of them has signed in. */
export const SOURCE_LOCK_OUT: LockOut = { guesses: 20, secondsEach: 45 };

/** For a name, from an address known for the user. No other bucket applies there. */
export const KNOWN_LOCK_OUT: LockOut = { guesses: 20, secondsEach: 45 };

const DAY_SECONDS = 86_400;

/** How long an address from which a user has signed in stays known, and when that is renewed. */
export const KNOWN_SOURCE_SECONDS = 30 * DAY_SECONDS;
const RENEWED_BELOW_SECONDS = KNOWN_SOURCE_SECONDS - DAY_SECONDS;

/** Limits renewals to one write a day for each address. */
export const isToBeRenewed = (knownUntilS: number, nowMs: number): boolean =>
  knownUntilS - nowMs / 1000 < RENEWED_BELOW_SECONDS;

/** Returns the largest number of guesses checked in a day that begins with a full bucket. */
export const guessesPerDay = ({ guesses, secondsEach }: LockOut): number =>
  guesses + DAY_SECONDS / secondsEach;
