/** What is lost and what is in flight: the functions of RFC 6675, section 4, on ranges instead of single octets. */
import { covers, nextGap, type Range, removeRange, uncovered } from "./ranges.ts";
import type { SentAgain, Tcb } from "./tcb.ts";

export const DUPLICATE_THRESHOLD = 3;

/**
 * Returns the position below which everything unreported is lost: IsLost. Above a lost octet are three reported ranges, or more than
 * two segments' bytes.
 */
export function lostBelow({ unacknowledged, reported, mssBytes }: Tcb): number {
  let bytes = 0;
  for (let index = reported.length - 1; index >= 0; index--) {
    const [start, end] = reported[index] as Range;
    bytes += end - start;
    if (reported.length - index >= DUPLICATE_THRESHOLD || bytes > (DUPLICATE_THRESHOLD - 1) * mssBytes)
      return start;
  }
  return unacknowledged;
}

/** The same, with what the recovery in progress takes as lost. */
export function lossEdge(tcb: Tcb): number {
  const { recovery, unacknowledged, next, mssBytes } = tcb;
  if (recovery === undefined) return unacknowledged;
  if (recovery.kind === "timeout") return Math.min(next, Math.max(recovery.point, lostBelow(tcb)));
  // Without SACK, only the first segment is known to be lost (RFC 6582).
  return tcb.usesSack ? lostBelow(tcb) : Math.min(next, unacknowledged + mssBytes);
}

/** Bytes in flight: Pipe. Without SACK, every duplicate acknowledgement reports a segment that has arrived. */
export function pipe(tcb: Tcb): number {
  const { unacknowledged, next, reported, recovery, usesSack, duplicates, mssBytes } = tcb;
  const unlost = uncovered(reported, Math.max(unacknowledged, lossEdge(tcb)), next);
  let resent = 0;
  for (const [start, end] of recovery?.resent ?? []) resent += uncovered(reported, start, end);
  return Math.max(0, unlost + resent - (usesSack ? 0 : duplicates * mssBytes));
}

/** The next range to send again: NextSeg, rule 1. Undefined if there is none. */
export function nextLost(tcb: Tcb): Range | undefined {
  const { recovery, reported, unacknowledged, mssBytes } = tcb;
  if (recovery === undefined) return undefined;
  const edge = lossEdge(tcb);
  const [start, end] = nextGap(reported, recovery.resent, unacknowledged);
  return start < edge ? [start, Math.min(end, start + mssBytes, tcb.next)] : undefined;
}

/** A range that may be lost, below one that has arrived: NextSeg, rule 3. */
export function nextDoubtful(tcb: Tcb): Range | undefined {
  const { recovery, reported, unacknowledged, mssBytes } = tcb;
  const highest = reported.at(-1)?.[0];
  if (recovery?.kind !== "fast" || highest === undefined) return undefined;
  const [start, end] = nextGap(reported, recovery.resent, unacknowledged);
  return start < highest ? [start, Math.min(end, start + mssBytes)] : undefined;
}

/**
 * Finds retransmissions that are lost too, and makes them eligible again; otherwise each would wait for the timer. As in RFC 8985, the
 * order of sending decides: three retransmissions that were sent later have arrived, or more than two segments' bytes of new data.
 */
export function findLostAgain({ recovery, reported, mssBytes, unacknowledged }: Tcb): void {
  if (recovery === undefined) return;
  const highest = reported.at(-1)?.[1] ?? 0;
  const pending: SentAgain[] = [];
  let arrived = 0;
  for (let index = recovery.sentAgain.length - 1; index >= 0; index--) {
    const each = recovery.sentAgain[index] as SentAgain;
    if (each.end <= unacknowledged || covers(reported, each.start)) {
      arrived += 1;
      continue;
    }
    each.overtakenBy += arrived;
    const isOvertaken =
      each.overtakenBy >= DUPLICATE_THRESHOLD || highest - each.next > (DUPLICATE_THRESHOLD - 1) * mssBytes;
    if (isOvertaken) removeRange(recovery.resent, each.start, each.end);
    else pending.push(each);
  }
  recovery.sentAgain = pending.reverse();
}
