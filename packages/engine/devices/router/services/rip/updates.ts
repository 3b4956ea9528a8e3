/** The entries that a router sends from a port (RFC 2453, sections 3.4.3, 3.9.1 and 3.10). */

import { contains4 } from "../../../../net/address/prefix.ts";
import type { Interface4, RouterPort } from "../../../../net/plane/tables.ts";
import { maskOf, prefixLengthOf } from "../../../../wire/ipv4-address.ts";
import { RIP_FAMILY_IPV4, RIP_FAMILY_NONE, RIP_INFINITY, type RipEntry } from "../../../../wire/rip.ts";
import type { SplitHorizon } from "./settings.ts";
import type { RipRoute, RipTable } from "./table.ts";

/** A request for the whole table. */
export const WHOLE_TABLE: RipEntry = {
  family: RIP_FAMILY_NONE,
  tag: 0,
  network: 0,
  mask: 0,
  nextHop: 0,
  metric: RIP_INFINITY,
};

export const isWholeTable = ([first, ...others]: readonly RipEntry[]): boolean =>
  first !== undefined &&
  others.length === 0 &&
  first.family === RIP_FAMILY_NONE &&
  first.metric === RIP_INFINITY;

/** @returns the entries for the neighbours at a port, without its own subnet, which they have. */
export const updateFor = (
  routes: readonly RipRoute[],
  port: RouterPort,
  splitHorizon: SplitHorizon,
): RipEntry[] => {
  const entries: RipEntry[] = [];
  for (const route of routes) {
    const isHere = route.port === port.index;
    if (route.origin === "interface" && isHere) continue;
    const isBack = route.from !== undefined && isHere;
    if (isBack && splitHorizon === "simple") continue;
    entries.push({
      family: RIP_FAMILY_IPV4,
      tag: route.tag,
      network: route.network,
      mask: maskOf(route.prefixLength),
      nextHop: nextHopOf(route, port),
      metric: isBack && splitHorizon === "poisoned-reverse" ? RIP_INFINITY : route.metric,
    });
  }
  return entries;
};

/** Answers a request for some networks (section 3.9.1): without split horizon, and with infinity for those that are unknown. */
export const answerFor = (wanted: readonly RipEntry[], table: RipTable): RipEntry[] =>
  wanted.map((entry) => {
    const prefixLength = prefixLengthOf(entry.mask);
    const route = prefixLength === null ? undefined : table.find(entry.network, prefixLength);
    return { ...entry, metric: route?.metric ?? RIP_INFINITY };
  });

/** The gateway of a redistributed route, if neighbours at the port reach it directly (section 4.4). */
function nextHopOf({ origin, via, hop }: RipRoute, { ipv4 }: RouterPort): number {
  if (hop !== undefined) return hop;
  const isDirect = origin !== "rip" && via !== undefined && contains4(ipv4 as Interface4, via);
  return isDirect ? via : 0;
}
