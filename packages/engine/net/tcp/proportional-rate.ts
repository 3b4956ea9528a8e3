/**
 * Proportional rate reduction (RFC 9937): during a fast recovery with SACK, the sender sends in proportion to what arrives, until its
 * window is the new threshold. The window of RFC 6675 alone would send a burst as soon as many segments count as lost.
 */
import type { Recovery } from "./recovery-state.ts";
import { flightBytes, type Tcb } from "./tcb.ts";

/** @param deliveredBytes by the acknowledgement that begins the recovery. */
export function beginReduction(tcb: Tcb, deliveredBytes: number): Pick<Recovery, "proportion"> {
  if (!tcb.usesSack || tcb.congestion.bbr) return {};
  // RecoverFS: what had arrived before does not arrive again.
  let bytes = flightBytes(tcb) + deliveredBytes;
  for (const [start, end] of tcb.reported) bytes -= end - start;
  return { proportion: { arrivedBytes: 0, sentBytes: 0, flightBytes: Math.max(bytes, tcb.mssBytes) } };
}

/** Sets the window after an acknowledgement. @param isSafe it acknowledges new data, and no more losses were found (SafeACK). */
export function reduce(tcb: Tcb, newBytes: number, isSafe: boolean): void {
  const proportion = tcb.recovery?.proportion;
  if (proportion === undefined) return;
  const { congestion, mssBytes, flight } = tcb;
  const threshold = congestion.thresholdBytes ?? congestion.windowBytes;
  proportion.arrivedBytes += newBytes;
  const { arrivedBytes, sentBytes } = proportion;
  const inFlight = flight.flyingBytes;
  const least = sentBytes === 0 ? mssBytes : 0;
  const allowed =
    inFlight > threshold
      ? Math.ceil((arrivedBytes * threshold) / proportion.flightBytes) - sentBytes
      : Math.min(
          threshold - inFlight,
          Math.max(arrivedBytes - sentBytes, newBytes) + (isSafe ? mssBytes : 0),
        );
  congestion.windowBytes = inFlight + Math.max(allowed, least);
}
