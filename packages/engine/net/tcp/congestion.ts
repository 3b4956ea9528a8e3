/** Congestion control: slow start and congestion avoidance (RFC 5681), with NewReno's or CUBIC's window. */
import type { Algorithm } from "./algorithms.ts";
import { type Bbr, makeBbr } from "./bbr-state.ts";
import { type Cubic, cubicIncrease, cubicReduction, makeCubic, type Path } from "./cubic.ts";
import { growthDivisor, type Hystart } from "./hystart.ts";

export interface Congestion {
  readonly algorithm: Algorithm;
  windowBytes: number;
  /** Absent before the first loss: slow start has no end. */
  thresholdBytes?: number | undefined;
  /** Bytes acknowledged since the last increase of NewReno's window. */
  ackedBytes: number;
  /** Present for CUBIC. */
  readonly cubic?: Cubic;
  /** Present for BBR, which decides about the window by itself. */
  readonly bbr?: Bbr;
  /** Present in the first slow start of a connection with HyStart++. */
  hystart?: Hystart | undefined;
}

const INITIAL_SEGMENTS = 10;
/** The limit of one acknowledgement in slow start: L of RFC 9406, section 4.3. Receivers acknowledge more than two segments at once. */
const SEGMENTS_PER_ACK = 8;

/** RFC 6928, section 2. */
export const initialWindow = (mssBytes: number): number =>
  Math.min(INITIAL_SEGMENTS * mssBytes, Math.max(2 * mssBytes, 14_600));

export const makeCongestion = (algorithm: Algorithm, mssBytes: number, nowUs = 0): Congestion => ({
  algorithm,
  windowBytes: initialWindow(mssBytes),
  ackedBytes: 0,
  ...(algorithm === "cubic" && { cubic: makeCubic() }),
  ...(algorithm === "bbr" && { bbr: makeBbr(nowUs) }),
});

/** Grows the window by an acknowledgement of new data. Not called while the window does not limit the sender (RFC 7661). */
export function grow(congestion: Congestion, ackedBytes: number, path: Path): void {
  const { mssBytes } = path;
  const { thresholdBytes = Number.POSITIVE_INFINITY } = congestion;
  if (congestion.windowBytes < thresholdBytes) {
    const room = Math.max(mssBytes, thresholdBytes - congestion.windowBytes);
    const grown = Math.min(ackedBytes, SEGMENTS_PER_ACK * mssBytes, room);
    congestion.windowBytes += grown / growthDivisor(congestion.hystart);
  } else if (congestion.cubic) {
    congestion.windowBytes += cubicIncrease(congestion.cubic, congestion.windowBytes, ackedBytes, path);
  } else {
    // RFC 5681, section 3.1: one segment per window of acknowledged bytes.
    congestion.ackedBytes += ackedBytes;
    while (congestion.ackedBytes >= congestion.windowBytes) {
      congestion.ackedBytes -= congestion.windowBytes;
      congestion.windowBytes += mssBytes;
    }
  }
}

/** Reduces the threshold after a loss (RFC 5681, equation 4; RFC 9438, section 4.6). BBR has none. */
export function reduceThreshold(congestion: Congestion, flightBytes: number, mssBytes: number): void {
  if (congestion.bbr) return;
  const used = Math.min(congestion.windowBytes, Math.max(flightBytes, mssBytes));
  const share = congestion.cubic ? cubicReduction(congestion.cubic, used, mssBytes) : used / 2;
  congestion.thresholdBytes = Math.max(Math.floor(share), 2 * mssBytes);
  congestion.ackedBytes = 0;
}
