/** Pacing: segments leave at a rate, in bursts of a send quantum (draft-cardwell-iccrg-bbr-congestion-control-00, sections 4.2.1 and 4.2.2). */

export interface Pacing {
  /** Bytes for each microsecond. */
  rate: number;
  /** When everything that was sent has left at this rate. */
  freeUs: number;
}

const SLOW_RATE = 1.2 / 8;
const FAST_RATE = 24 / 8;
const LARGEST_QUANTUM_BYTES = 65_536;
const QUANTUM_US = 1_000;

/** A segment, two, or as much as leaves in a millisecond. */
export function quantumBytes({ rate }: Pacing, mssBytes: number): number {
  if (rate < SLOW_RATE) return mssBytes;
  if (rate < FAST_RATE) return 2 * mssBytes;
  return Math.min(rate * QUANTUM_US, LARGEST_QUANTUM_BYTES);
}

interface Paced {
  readonly pacing?: Pacing | undefined;
  readonly mssBytes: number;
  readonly deadlines: { paceUs?: number | undefined };
}

/** Returns whether a segment may leave now; else sets the timer for the next burst. */
export function mayLeave({ pacing, mssBytes, deadlines }: Paced, nowUs: number): boolean {
  deadlines.paceUs = undefined;
  if (pacing === undefined) return true;
  const waitUs = pacing.freeUs - nowUs;
  if (waitUs < quantumBytes(pacing, mssBytes) / pacing.rate) return true;
  deadlines.paceUs = Math.ceil(pacing.freeUs);
  return false;
}

export function noteLeft({ pacing }: Paced, bytes: number, nowUs: number): void {
  if (pacing !== undefined) pacing.freeUs = Math.max(pacing.freeUs, nowUs) + bytes / pacing.rate;
}
