/**
 * The retransmission timeout (RFC 6298).
 *
 * The RFC's minimum of one second is not kept. As Linux does, the term of the variance is at least 200 ms instead, which covers the
 * delay of an acknowledgement.
 */
const INITIAL_RTO_US = 1_000_000;
/** RFC 6298, section 5.7: after a handshake with a repeated SYN. */
export const RTO_AFTER_LOST_SYN_US = 3_000_000;
const MAX_RTO_US = 60_000_000;
const MIN_VARIANCE_TERM_US = 200_000;

export interface RoundTrip {
  /** Undefined before the first measurement. */
  smoothedUs?: number | undefined;
  variationUs: number;
  rtoUs: number;
}

export const makeRoundTrip = (): RoundTrip => ({ variationUs: 0, rtoUs: INITIAL_RTO_US });

/** Adds a measurement (sections 2.2 and 2.3) and ends the backoff. */
export function measure(trip: RoundTrip, sampleUs: number): void {
  if (trip.smoothedUs === undefined) {
    trip.smoothedUs = sampleUs;
    trip.variationUs = sampleUs / 2;
  } else {
    trip.variationUs = 0.75 * trip.variationUs + 0.25 * Math.abs(trip.smoothedUs - sampleUs);
    trip.smoothedUs = 0.875 * trip.smoothedUs + 0.125 * sampleUs;
  }
  const rtoUs = trip.smoothedUs + Math.max(MIN_VARIANCE_TERM_US, 4 * trip.variationUs);
  trip.rtoUs = Math.min(MAX_RTO_US, Math.ceil(rtoUs));
}

/** Section 5.5. */
export function backOff(trip: RoundTrip): void {
  trip.rtoUs = Math.min(MAX_RTO_US, 2 * trip.rtoUs);
}
