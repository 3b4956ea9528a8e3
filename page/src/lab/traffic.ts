/** What links carry, in words. Pure. */
import type { LinkCounters } from "../api/types.ts";

type Carried = LinkCounters["a_to_b"];

/** What a link has carried since it was made, and what the last runs over it lost. */
export interface LinkTraffic {
  readonly counters: LinkCounters;
  /** Packets since the counters moved last; undefined if the page has not seen them move. */
  readonly recent: { readonly packets: number; readonly lost: number } | undefined;
}

/**
 * @param before what the page knew; null if it knows that the link had carried nothing, undefined if it knows nothing.
 * @param counters as the event of a run has them.
 */
export function moved(before: LinkTraffic | null | undefined, counters: LinkCounters): LinkTraffic {
  if (before === undefined) return { counters, recent: undefined };
  const [was, is] = [before?.counters, counters].map((each) => ({
    packets: total(each, (carried) => carried.delivered.packets + carried.dropped.packets),
    lost: total(each, (carried) => carried.dropped.packets),
  }));
  return { counters, recent: { packets: is!.packets - was!.packets, lost: is!.lost - was!.lost } };
}

const total = (counters: LinkCounters | undefined, amount: (carried: Carried) => number): number =>
  counters === undefined ? 0 : amount(counters.a_to_b) + amount(counters.b_to_a);

export const isIdle = ({ a_to_b, b_to_a }: LinkCounters): boolean =>
  a_to_b.in.packets + b_to_a.in.packets === 0;

const COUNT = new Intl.NumberFormat("en");
const PERCENT = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export const packetWords = (packets: number): string =>
  `${COUNT.format(packets)} ${packets === 1 ? "packet" : "packets"}`;

export const byteWords = (bytes: number): string =>
  `${COUNT.format(bytes)} ${bytes === 1 ? "byte" : "bytes"}`;

/** Returns the share of packets that a direction lost. Duplicates arrive too, so the packets that were sent are not the whole. */
export function lossWords({ delivered, dropped }: Carried): string {
  const all = delivered.packets + dropped.packets;
  if (dropped.packets === 0 || all === 0) return "0 %";
  const percent = (100 * dropped.packets) / all;
  // A loss that is there is not shown as none, nor one that is not whole as all.
  if (percent < 0.1) return "< 0.1 %";
  return percent > 99.9 && percent < 100 ? "> 99.9 %" : `${PERCENT.format(percent)} %`;
}

/** `PC1 → PC2: 6 packets, 1 lost (16.7 %)`; empty for a direction that carried nothing. */
export function directionWords(from: string, to: string, carried: Carried): string {
  if (carried.in.packets === 0) return "";
  const { dropped } = carried;
  const lost =
    dropped.packets > 0 ? `${COUNT.format(dropped.packets)} lost (${lossWords(carried)})` : "none lost";
  return `${from} → ${to}: ${packetWords(carried.in.packets)}, ${lost}`;
}
