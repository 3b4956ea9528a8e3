/**
 * Time in the engine.
 *
 * Inside a run, time is an integer count of nanoseconds from the run's start, held in a plain number: exact up to
 * `Number.MAX_SAFE_INTEGER`, which is 104 days. Outside it, a moment is whole seconds since 1970-01-01 UTC plus
 * nanoseconds in [0, 1e9), because nanoseconds since 1970 do not fit a number and a bigint per frame is slow.
 */

export const NS_PER_US = 1_000;
export const NS_PER_MS = 1_000_000;
export const NS_PER_SECOND = 1_000_000_000;

/** The longest run: the last nanosecond a number counts exactly, about 104.2 days. */
export const MAX_RUN_NS = Number.MAX_SAFE_INTEGER;

/** A moment: whole seconds since the epoch (negative before 1970) and nanoseconds in [0, 1e9). */
export interface EpochTime {
  seconds: number;
  nanoseconds: number;
}

/** Returns the moment `offsetNs` (an integer, not negative) after `start`. */
export function addNanoseconds(start: EpochTime, offsetNs: number): EpochTime {
  const nanoseconds = start.nanoseconds + (offsetNs % NS_PER_SECOND);
  const carry = nanoseconds >= NS_PER_SECOND ? 1 : 0;
  return {
    seconds: start.seconds + Math.floor(offsetNs / NS_PER_SECOND) + carry,
    nanoseconds: nanoseconds - carry * NS_PER_SECOND,
  };
}

/** Returns the moment `epochNs` nanoseconds after 1970-01-01 UTC; negative values are before it. */
export function epochTimeFromNs(epochNs: bigint): EpochTime {
  const perSecond = BigInt(NS_PER_SECOND);
  const remainder = ((epochNs % perSecond) + perSecond) % perSecond;
  return { seconds: Number((epochNs - remainder) / perSecond), nanoseconds: Number(remainder) };
}

/** Returns nanoseconds since 1970-01-01 UTC. */
export function epochTimeToNs(time: EpochTime): bigint {
  return BigInt(time.seconds) * BigInt(NS_PER_SECOND) + BigInt(time.nanoseconds);
}
