/**
 * The retransmission timeout (RFC 6298).
 *
 * The RFC's minimum of one second is not kept. As Linux does, the term of the variance is at least 200 ms instead, which covers the
 * delay of an acknowledgement.
 */
const INITIAL_RTO_US = 1_000_000;
/** RFC 6298, section 5.7: after a handshake with a repeated SYN. */
export const RTO_AFTER_LOST_SYN_US = 3_000_000;
/** As Linux (TCP_RTO_MAX). */
const MAX_RTO_US = 120_000_000;
const MIN_VARIANCE_TERM_US = 200_000;

export interface RoundTrip {
  /** Undefined before the first measurement. */
  smoothedUs?: number | undefined;
  variationUs: number;
  /** The smoothed time after the last measurement of a round trip. */
  anchorUs: number;
  rtoUs: number;
}

export const makeRoundTrip = (): RoundTrip => ({ variationUs: 0, anchorUs: 0, rtoUs: INITIAL_RTO_US });

/** Adds the measurement of a round trip (sections 2.2 and 2.3) and ends the backoff. */
export function measure(trip: RoundTrip, sampleUs: number): void {
  if (trip.smoothedUs === undefined) {
    trip.smoothedUs = sampleUs;
    trip.variationUs = sampleUs / 2;
  } else {
    trip.variationUs = 0.75 * trip.variationUs + 0.25 * Math.abs(trip.anchorUs - sampleUs);
    trip.smoothedUs = 0.875 * trip.smoothedUs + 0.125 * sampleUs;
  }
  trip.anchorUs = trip.smoothedUs;
  setRto(trip, trip.smoothedUs);
}

/**
 * Adds a measurement beside those of whole round trips, which decide the variation: among the many of a round trip, each differs
 * little from the one before (RFC 7323, appendix G).
 */
export function follow(trip: RoundTrip, sampleUs: number): void {
  if (trip.smoothedUs === undefined) {
    measure(trip, sampleUs);
    return;
  }
  trip.smoothedUs = 0.875 * trip.smoothedUs + 0.125 * sampleUs;
  setRto(trip, trip.smoothedUs);
}

function setRto(trip: RoundTrip, smoothedUs: number): void {
  const rtoUs = smoothedUs + Math.max(MIN_VARIANCE_TERM_US, 4 * trip.variationUs);
  trip.rtoUs = Math.min(MAX_RTO_US, Math.ceil(rtoUs));
}

/** Section 5.5. */
export function backOff(trip: RoundTrip): void {
  trip.rtoUs = Math.min(MAX_RTO_US, 2 * trip.rtoUs);
}
