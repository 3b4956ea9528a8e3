/**
 * HyStart++ (RFC 9406): the first slow start of a connection ends when the round trip grows, before the queue of the path is full.
 * Conservative slow start follows; it goes back if the round trip shrinks again, and leads to congestion avoidance after five rounds.
 *
 * The RFC's names are in the comments.
 */

/** MIN_RTT_THRESH, MAX_RTT_THRESH, MIN_RTT_DIVISOR, N_RTT_SAMPLE, CSS_GROWTH_DIVISOR and CSS_ROUNDS of section 4.3. */
const MIN_THRESHOLD_US = 4_000;
const MAX_THRESHOLD_US = 16_000;
const ROUND_TRIP_DIVISOR = 8;
const MIN_SAMPLES = 8;
const GROWTH_DIVISOR = 4;
const CONSERVATIVE_ROUNDS = 5;
/** The first segments of each round are timed, so that the next one has its samples early, also if two share an acknowledgement. */
const TIMED_PER_ROUND = 32;

export interface Hystart {
  /** windowEnd: the first acknowledgement of a higher position begins the next round. */
  roundEnd: number;
  /** lastRoundMinRTT */
  lastMinUs?: number | undefined;
  /** currentRoundMinRTT */
  minUs?: number | undefined;
  /** rttSampleCount */
  samples: number;
  /** cssBaselineMinRtt; present in conservative slow start. */
  baselineUs?: number | undefined;
  conservativeRounds: number;
  /** Segments that were timed in this round. */
  noted: number;
  /** Those in flight, in the order of sending. */
  readonly timed: { readonly end: number; readonly sentUs: number }[];
}

export const makeHystart = (initial: number): Hystart => ({
  roundEnd: initial + 1,
  samples: 0,
  conservativeRounds: 0,
  noted: 0,
  timed: [],
});

/** The divisor of slow start's growth. */
export const growthDivisor = (hystart: Hystart | undefined): number =>
  hystart?.baselineUs === undefined ? 1 : GROWTH_DIVISOR;

/** Notes a segment of new data. */
export function noteSent(hystart: Hystart | undefined, end: number, sentUs: number): void {
  if (hystart === undefined || hystart.noted >= TIMED_PER_ROUND) return;
  hystart.noted += 1;
  hystart.timed.push({ end, sentUs });
}

interface SlowStart {
  readonly windowBytes: number;
  thresholdBytes?: number | undefined;
  hystart?: Hystart | undefined;
}

/** Takes the acknowledgement of new data (section 4.2). @param next the first position that is not sent. */
export function takeRound(congestion: SlowStart, next: number, acknowledged: number, nowUs: number): void {
  const { hystart } = congestion;
  if (hystart === undefined) return;
  // A loss or a mark has ended the first slow start.
  if (congestion.thresholdBytes !== undefined) {
    congestion.hystart = undefined;
    return;
  }
  if (acknowledged > hystart.roundEnd) beginRound(hystart, next);
  if (hystart.conservativeRounds >= CONSERVATIVE_ROUNDS) {
    congestion.thresholdBytes = Math.floor(congestion.windowBytes);
    congestion.hystart = undefined;
    return;
  }
  takeSample(hystart, acknowledged, nowUs);
  decide(hystart);
}

function takeSample(hystart: Hystart, acknowledged: number, nowUs: number): void {
  let sentUs: number | undefined;
  while (hystart.timed.length > 0 && hystart.timed[0]!.end <= acknowledged)
    sentUs = hystart.timed.shift()!.sentUs;
  if (sentUs === undefined) return;
  hystart.minUs = Math.min(hystart.minUs ?? Number.POSITIVE_INFINITY, nowUs - sentUs);
  hystart.samples += 1;
}

/** Enters conservative slow start, or goes back from it. */
function decide(hystart: Hystart): void {
  const { minUs, lastMinUs, baselineUs, samples } = hystart;
  if (samples < MIN_SAMPLES || minUs === undefined) return;
  if (baselineUs !== undefined) {
    if (minUs < baselineUs) {
      hystart.baselineUs = undefined;
      hystart.conservativeRounds = 0;
    }
  } else if (lastMinUs !== undefined) {
    const threshold = Math.max(MIN_THRESHOLD_US, Math.min(lastMinUs / ROUND_TRIP_DIVISOR, MAX_THRESHOLD_US));
    if (minUs >= lastMinUs + threshold) hystart.baselineUs = minUs;
  }
}

/** Begins a round with what is sent from now on: what was sent during a recovery says nothing about the path. */
export function resumeRound(hystart: Hystart, next: number): Hystart {
  hystart.timed.splice(0);
  beginRound(hystart, next);
  return hystart;
}

function beginRound(hystart: Hystart, next: number): void {
  hystart.lastMinUs = hystart.minUs ?? hystart.lastMinUs;
  hystart.minUs = undefined;
  hystart.samples = 0;
  hystart.noted = 0;
  hystart.roundEnd = next;
  if (hystart.baselineUs !== undefined) hystart.conservativeRounds += 1;
}
