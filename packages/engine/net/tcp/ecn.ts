/**
 * Explicit congestion notification (RFC 3168): a queue marks packets in place of dropping them, the receiver echoes the mark until the
 * sender confirms that it has reduced its window.
 *
 *     sender   ECT(0) data --> queue: CE --> receiver
 *     sender   <-------- ECE in each acknowledgement
 *     sender   CWR in new data ------------> receiver: no ECE from here on
 */
import { TCP_ACK, TCP_CWR, TCP_ECE, TCP_SYN } from "../../wire/tcp.ts";
import { reduceThreshold } from "./congestion.ts";
import { makeEcn } from "./ecn-state.ts";
import { flightBytes, type Segment, type Tcb } from "./tcb.ts";

/** The last two bits of IPv4's type of service and of IPv6's traffic class (section 5). */
export const CODEPOINT_MASK = 3;
const CAPABLE = 2;
const CONGESTED = 3;

/** The flags of a SYN, or of the answer to one (section 6.1.1). A SYN that is sent again does without: section 6.1.1.1. */
export function synFlags({ ecn, state, attempts }: Tcb): number {
  if (ecn === undefined) return 0;
  if (state === "SYN-RECEIVED") return TCP_ECE;
  return attempts === 0 ? TCP_ECE | TCP_CWR : 0;
}

/** Decides by the peer's SYN whether the connection uses ECN. */
export function negotiate(tcb: Tcb, { flags, codepoint = 0 }: Segment): void {
  const asked = flags & (TCP_ECE | TCP_CWR);
  const answers = (flags & TCP_ACK) !== 0;
  // A SYN that is itself capable of marks comes from a host, or through one, that does not know the bits.
  const agrees = answers ? asked === TCP_ECE : asked === (TCP_ECE | TCP_CWR) && codepoint === 0;
  if (agrees && tcb.state === "SYN-RECEIVED" && tcb.settings.ecn !== "off") tcb.ecn = makeEcn();
  else if (!agrees && tcb.ecn !== undefined) tcb.ecn = undefined;
}

/** Notes the marks of a segment with data. @returns whether the peer should hear of it at once. */
export function noteMark({ ecn }: Tcb, { flags, codepoint, data }: Segment): boolean {
  if (ecn === undefined) return false;
  const confirms = (flags & (TCP_CWR | TCP_SYN)) === TCP_CWR;
  if (confirms) ecn.echoes = false;
  if (codepoint !== CONGESTED || data.length === 0) return confirms;
  ecn.marked += 1;
  const isFirst = !ecn.echoes;
  ecn.echoes = true;
  return isFirst || confirms;
}

export const echoFlag = ({ ecn }: Tcb): number => (ecn?.echoes ? TCP_ECE : 0);

/** Takes the flag and the codepoint of data that are sent for the first time; others have none (sections 6.1.4 to 6.1.6). */
export function markNewData({ ecn }: Tcb): { readonly flags: number; readonly codepoint?: number } {
  if (ecn === undefined) return { flags: 0 };
  const flags = ecn.owesCwr ? TCP_CWR : 0;
  ecn.owesCwr = false;
  return { flags, codepoint: CAPABLE };
}

/** Whether the window has been reduced by an echo, and what was in flight then is not acknowledged yet. */
export const isHolding = ({ ecn, unacknowledged }: Tcb, acknowledged = unacknowledged): boolean =>
  ecn?.holdsUntil !== undefined && acknowledged <= ecn.holdsUntil;

/** Reduces the window by an echo, as by a loss, and once in a round trip (section 6.1.2). The ECE of a SYN is no echo. */
export function takeEcho(tcb: Tcb, flags: number, acknowledged: number): void {
  const { ecn, congestion } = tcb;
  if (ecn === undefined || (flags & (TCP_ECE | TCP_SYN)) !== TCP_ECE) return;
  if (tcb.recovery !== undefined || isHolding(tcb, acknowledged)) return;
  reduceThreshold(congestion, flightBytes(tcb), tcb.mssBytes);
  congestion.windowBytes = congestion.thresholdBytes ?? congestion.windowBytes;
  ecn.holdsUntil = tcb.next;
  ecn.owesCwr = true;
  ecn.reductions += 1;
}

/** A loss has reduced the window: the peer hears of it as of an echo's reduction. */
export function noteReduction({ ecn }: Tcb): void {
  if (ecn === undefined) return;
  ecn.owesCwr = true;
  ecn.holdsUntil = undefined;
}

/** The loss was none: the peer need not hear of a reduction that was undone. */
export function withdrawReduction({ ecn }: Tcb): void {
  if (ecn !== undefined) ecn.owesCwr = false;
}
