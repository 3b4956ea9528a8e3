/** The counts of one direction of a link in a run. */

import { NS_PER_MS } from "../base/time.ts";
import type { FilterCounts, FilterType } from "./filters/index.ts";
import type { ImpairmentReport } from "./impairments/report.ts";

export interface Traffic {
  packets: number;
  bytes: number;
}

/**
 * entered = delivered + dropped + in flight at the run's end; with impairments, entered + duplicated. Corrupted packets count as
 * delivered or in flight too.
 */
export interface DirectionReport {
  readonly entered: Traffic;
  readonly delivered: Traffic;
  readonly dropped: Traffic;
  readonly corrupted: Traffic;
  readonly underWay: Traffic;
  /** Active filters in chain order; if a filter was changed during the run, the sum of its counts. */
  readonly filters: readonly FilterCounts[];
  /** Delays of the delivered packets; null if there are none. */
  readonly delayMs: DelaySummary | null;
  /** Absent without impairments. */
  readonly impairments?: ImpairmentReport;
}

/** Delays in milliseconds; percentiles by nearest rank. */
export interface DelaySummary {
  min: number;
  mean: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
}

/** Counts the delays of the packets that a direction delivers. */
export interface DelayCounter {
  add(delayNs: number): void;
  /** @param count the number of all packets. @returns null without packets. */
  summary(count: number): DelaySummary | null;
  /** Absent for counters of runs that are never saved. */
  freeze?(): unknown;
  thaw?(frozen: unknown): void;
}

/** Counts any delays; exact percentiles by nearest rank. Its memory grows with the packets that were held. */
export class DelayTally implements DelayCounter {
  readonly #delaysNs: number[] = [];

  add(delayNs: number): void {
    if (delayNs > 0) this.#delaysNs.push(delayNs);
  }

  freeze(): readonly number[] {
    return this.#delaysNs;
  }

  thaw(frozen: unknown): void {
    for (const delayNs of frozen as readonly number[]) this.#delaysNs.push(delayNs);
  }

  /** @param count the number of all packets; packets that were not added have delay 0. */
  summary(count: number): DelaySummary | null {
    if (count === 0) return null;
    const sorted = Float64Array.from(this.#delaysNs).sort();
    const zeros = count - sorted.length;
    const at = (rank: number): number =>
      (rank <= zeros ? 0 : (sorted[rank - zeros - 1] as number)) / NS_PER_MS;
    const percentile = (percent: number): number => at(Math.ceil((percent * count) / 100));
    const sum = sorted.reduce((total, delayNs) => total + delayNs, 0);
    return {
      min: at(1),
      mean: sum / count / NS_PER_MS,
      p50: percentile(50),
      p90: percentile(90),
      p99: percentile(99),
      max: at(count),
    };
  }
}

/** Adds the counts of a filter chain to those of earlier chains on the same link. */
export function addCounts(before: readonly FilterCounts[], counts: readonly FilterCounts[]): FilterCounts[] {
  const byType = new Map<FilterType, FilterCounts>(before.map((each) => [each.type, { ...each }]));
  for (const each of counts) {
    const sum = byType.get(each.type) ?? { type: each.type, seen: 0, dropped: 0, corrupted: 0, held: 0 };
    sum.seen += each.seen;
    sum.dropped += each.dropped;
    sum.corrupted += each.corrupted;
    sum.held += each.held;
    byType.set(each.type, sum);
  }
  return [...byType.values()];
}
