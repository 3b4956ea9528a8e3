/**
 * Tail loss probes (RFC 8985, section 7): when acknowledgements stop, the last segment, or a new one, is sent before the
 * retransmission timer ends, so that the peer reports what is missing.
 */
import type { Arrival } from "./arrival.ts";
import { reduceThreshold } from "./congestion.ts";
import { noteReduction } from "./ecn.ts";
import { flightBytes, type Tcb } from "./tcb.ts";

/** Section 7.2: a receiver may hold the acknowledgement of a single segment for as long. */
const LONGEST_DELAY_US = 200_000;

/** Sets the timer after new data were sent or acknowledged. */
export function armProbe(tcb: Tcb, nowUs: number): void {
  const { deadlines, roundTrip, flight, mssBytes } = tcb;
  const isPossible =
    tcb.usesSack && tcb.recovery === undefined && tcb.probe === undefined && flight.segments.length > 0;
  // What the peer has reported proves a gap: RACK decides.
  if (!isPossible || tcb.reported.length > 0 || deadlines.retransmitUs === undefined) {
    deadlines.probeUs = undefined;
    return;
  }
  const { smoothedUs } = roundTrip;
  const isSingle = flightBytes(tcb) <= mssBytes;
  const timeoutUs = smoothedUs === undefined ? 1_000_000 : 2 * smoothedUs + (isSingle ? LONGEST_DELAY_US : 0);
  deadlines.probeUs = Math.ceil(Math.min(nowUs + timeoutUs, deadlines.retransmitUs));
}

/** Takes the answer to a probe (section 7.4). If the probe has repaired a loss, the window falls as by one. */
export function takeProbeAnswer(
  tcb: Tcb,
  acknowledged: number,
  { advances, delivers, duplicate }: Arrival,
): void {
  const { probe } = tcb;
  if (probe === undefined || acknowledged < probe.end) return;
  if (!probe.isResent || duplicate?.[1] === probe.end) tcb.probe = undefined;
  else if (acknowledged > probe.end) {
    tcb.probe = undefined;
    const { congestion } = tcb;
    reduceThreshold(congestion, flightBytes(tcb), tcb.mssBytes);
    congestion.windowBytes = congestion.thresholdBytes ?? congestion.windowBytes;
    noteReduction(tcb);
  } else if (!advances && !delivers) tcb.probe = undefined;
}
