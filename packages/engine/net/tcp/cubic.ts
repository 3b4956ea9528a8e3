/**
 * CUBIC (RFC 9438): the window grows as a cubic function of the time since the last loss.
 *
 *     W_cubic(t) = C * (t - K)^3 + W_max        K = cbrt((W_max - cwnd_epoch) / C)
 *
 * Windows are in segments and times in seconds, as in the RFC.
 */
const C = 0.4;
const BETA = 0.7;
/**
 * The additive increase with which NewReno has the same mean window (section 4.3). As in Linux, it stays when the former window is
 * reached, where the RFC would take 1.
 */
const ALPHA = (3 * (1 - BETA)) / (1 + BETA);
/** Section 4.2: the window grows by at most half in a round trip. */
const MOST_PER_ROUND_TRIP = 1.5;

/** The facts about a connection that its congestion control needs. */
export interface Path {
  readonly nowUs: number;
  readonly roundTripUs: number;
  readonly mssBytes: number;
}

export interface Cubic {
  /** The window before the last loss, reduced by fast convergence; 0 before the first loss. */
  maxSegments: number;
  /** When congestion avoidance began after the last loss; absent before. */
  epochUs?: number | undefined;
  kSeconds: number;
  /** The window of NewReno in the same place: W_est. */
  renoSegments: number;
  /** When an acknowledgement last grew the window. */
  grownUs: number;
}

export const makeCubic = (): Cubic => ({
  maxSegments: 0,
  kSeconds: 0,
  renoSegments: 0,
  grownUs: 0,
});

/** The window of the cubic function `seconds` after the beginning of an epoch. */
export const cubicWindow = ({ maxSegments, kSeconds }: Cubic, seconds: number): number =>
  C * (seconds - kSeconds) ** 3 + maxSegments;

/** Returns the bytes by which an acknowledgement in congestion avoidance grows the window. */
export function cubicIncrease(
  cubic: Cubic,
  windowBytes: number,
  ackedBytes: number,
  { nowUs, roundTripUs, mssBytes }: Path,
): number {
  const segments = windowBytes / mssBytes;
  const acked = ackedBytes / mssBytes;
  const epochUs = beginEpoch(cubic, segments, nowUs, roundTripUs);
  cubic.grownUs = nowUs;
  const seconds = (nowUs - epochUs) / 1e6;
  cubic.renoSegments += (ALPHA * acked) / segments;
  if (cubicWindow(cubic, seconds) < cubic.renoSegments)
    return Math.max(0, (cubic.renoSegments - segments) * mssBytes);
  const target = cubicWindow(cubic, seconds + roundTripUs / 1e6);
  const bounded = Math.min(Math.max(target, segments), MOST_PER_ROUND_TRIP * segments);
  return ((bounded - segments) / segments) * acked * mssBytes;
}

/** Begins an epoch with the first increase after a loss. The time without an increase does not count (section 5.8). */
function beginEpoch(cubic: Cubic, segments: number, nowUs: number, roundTripUs: number): number {
  if (cubic.epochUs === undefined) {
    cubic.epochUs = nowUs;
    cubic.renoSegments = segments;
    cubic.maxSegments = Math.max(cubic.maxSegments, segments);
    cubic.kSeconds = Math.cbrt((cubic.maxSegments - segments) / C);
  } else if (nowUs - cubic.grownUs > roundTripUs) cubic.epochUs += nowUs - cubic.grownUs;
  return cubic.epochUs;
}

/** Ends the epoch with a loss. @returns the bytes that the threshold becomes. */
export function cubicReduction(cubic: Cubic, windowBytes: number, mssBytes: number): number {
  const segments = windowBytes / mssBytes;
  // Fast convergence (section 4.7): a flow whose window shrinks leaves room to others.
  cubic.maxSegments = segments < cubic.maxSegments ? (segments * (1 + BETA)) / 2 : segments;
  cubic.epochUs = undefined;
  return windowBytes * BETA;
}
