/**
 * Proportional rate reduction (RFC 9937): during a fast recovery with SACK, the sender sends in proportion to what arrives, until its
 * window is the new threshold. The window of RFC 6675 alone would send a burst as soon as many segments count as lost.
 */
import { pipe } from "./scoreboard.ts";
import { flightBytes, type Recovery, type Tcb } from "./tcb.ts";

/** What the peer has of the stream, wherever it lies. */
export function arrivedBytes({ unacknowledged, reported }: Tcb): number {
  let bytes = unacknowledged;
  for (const [start, end] of reported) bytes += end - start;
  return bytes;
}

export const beginReduction = (tcb: Tcb): Pick<Recovery, "proportion"> =>
  tcb.usesSack ? { proportion: { arrivedBytes: 0, sentBytes: 0, flightBytes: flightBytes(tcb) } } : {};

/** Sets the window after an acknowledgement. @param advances whether it acknowledges new data. */
export function reduce(tcb: Tcb, newBytes: number, advances: boolean): void {
  const proportion = tcb.recovery?.proportion;
  if (proportion === undefined) return;
  const { congestion, mssBytes } = tcb;
  const threshold = congestion.thresholdBytes!;
  proportion.arrivedBytes += newBytes;
  const { arrivedBytes, sentBytes } = proportion;
  const inFlight = pipe(tcb);
  const least = sentBytes === 0 ? mssBytes : 0;
  const allowed =
    inFlight > threshold
      ? Math.ceil((arrivedBytes * threshold) / proportion.flightBytes) - sentBytes
      : Math.min(
          threshold - inFlight,
          Math.max(arrivedBytes - sentBytes, newBytes) + (advances ? mssBytes : 0),
        );
  congestion.windowBytes = inFlight + Math.max(allowed, least);
}
