/** What an acknowledgement says about the segments in flight: RFC 2018 for its blocks, RFC 2883 for a duplicate. */

import { noteDelivered } from "./delivery-rate.ts";
import { arriveBefore, arriveWithin, type SentSegment } from "./flight.ts";
import type { TcpOptions } from "./options.ts";
import { positionOf } from "./position.ts";
import { noteArrived, noteDuplicate, noteOvertaken } from "./rack.ts";
import { addRange, nextGap, type Range, removeBefore } from "./ranges.ts";
import type { Tcb } from "./tcb.ts";
import { noteReported } from "./undo.ts";

export interface Arrival {
  readonly nowUs: number;
  /** The timestamp that it echoes. */
  readonly echo?: number | undefined;
  /** It acknowledges new data. */
  advances: boolean;
  acknowledgedBytes: number;
  /** Bytes that have arrived by it, in order or beyond a gap. */
  deliveredBytes: number;
  /** The round trip of the last segment of them that was sent once. */
  roundTripUs?: number | undefined;
  /** It reports that a segment has arrived. */
  delivers: boolean;
  /** It is a duplicate acknowledgement of RFC 5681, section 2. */
  repeats: boolean;
  /** The duplicate that it reports. */
  duplicate?: Range | undefined;
}

export const makeArrival = (tcb: Tcb, { timestamps }: TcpOptions, nowUs: number): Arrival => ({
  nowUs,
  ...(tcb.usesTimestamps && timestamps && timestamps.echo !== 0 && { echo: timestamps.echo }),
  advances: false,
  acknowledgedBytes: 0,
  deliveredBytes: 0,
  delivers: false,
  repeats: false,
});

/** Takes the blocks that lie in what was sent. @param acknowledged by the same segment. */
export function takeBlocks(
  tcb: Tcb,
  { sack = [] }: TcpOptions,
  acknowledged: number,
  arrival: Arrival,
): void {
  const blocks = sack.map(
    ([left, right]): Range => [positionOf(left, tcb.unacknowledged), positionOf(right, tcb.unacknowledged)],
  );
  const isDuplicate = takeDuplicate(tcb, blocks, acknowledged, arrival);
  const from = Math.max(acknowledged, tcb.unacknowledged);
  for (const [start, end] of isDuplicate ? blocks.slice(1) : blocks)
    if (start >= from && end <= tcb.next && start < end) takeBlock(tcb, start, end, arrival);
}

/**
 * The first block is a D-SACK if it is below the acknowledgement or inside the second block (RFC 2883, section 4). Where the network
 * copies segments, more duplicates arrive than segments were sent again: then they say nothing about retransmissions.
 */
function takeDuplicate(
  tcb: Tcb,
  [first, second]: readonly Range[],
  acknowledged: number,
  arrival: Arrival,
): boolean {
  if (first === undefined || first[0] >= first[1] || first[0] < tcb.initial) return false;
  const isInside = second !== undefined && first[0] >= second[0] && first[1] <= second[1];
  if (first[0] >= acknowledged && !isInside) return false;
  const { rack, counters } = tcb;
  rack.duplicates += Math.max(1, Math.round((first[1] - first[0]) / tcb.mssBytes));
  if (rack.duplicates > counters.retransmissions) return true;
  arrival.duplicate = first;
  // The probe of a tail was no loss, and no reordering.
  if (tcb.probe?.isResent && first[1] === tcb.probe.end) return true;
  // A retransmission was sent in vain: the first one had been overtaken.
  if (tcb.undo?.pending !== undefined) noteOvertaken(tcb, first[0]);
  if (rack.isReordering) noteDuplicate(tcb);
  noteReported(tcb, first);
  return true;
}

function takeBlock(tcb: Tcb, start: number, end: number, arrival: Arrival): void {
  for (let at = start; at < end; ) {
    const [from, to] = nextGap(tcb.reported, at);
    if (from >= end) break;
    arriveWithin(tcb.flight, from, Math.min(to, end), (segment) => deliver(tcb, segment, arrival, undefined));
    at = to;
  }
  addRange(tcb.reported, start, end);
}

/** Takes the acknowledgement of everything before a position. */
export function takeAllBefore(tcb: Tcb, acknowledged: number, arrival: Arrival): void {
  arrival.advances = true;
  arrival.acknowledgedBytes = acknowledged - tcb.unacknowledged;
  arriveBefore(tcb.flight, acknowledged, (segment) => deliver(tcb, segment, arrival, arrival.echo));
  removeBefore(tcb.reported, acknowledged);
}

function deliver(tcb: Tcb, segment: SentSegment, arrival: Arrival, echo: number | undefined): void {
  arrival.delivers = true;
  arrival.deliveredBytes += segment.end - segment.start;
  if (!segment.isResent) arrival.roundTripUs = arrival.nowUs - segment.sentUs;
  const { bbr } = tcb.congestion;
  if (bbr) noteDelivered(bbr.delivery, segment, segment.end - segment.start, arrival.nowUs);
  noteArrived(tcb, segment, arrival.nowUs, echo);
}
