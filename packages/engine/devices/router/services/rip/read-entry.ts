/** Checks the entries of a response (RFC 2453, sections 3.9.2 and 4.4). */

import { contains4, network4 } from "../../../../net/address/prefix.ts";
import type { Interface4, RouterPort } from "../../../../net/plane/tables.ts";
import { isHostAddress, prefixLengthOf } from "../../../../wire/ipv4-address.ts";
import { RIP_FAMILY_IPV4, RIP_INFINITY, type RipEntry } from "../../../../wire/rip.ts";
import type { Offer } from "./table.ts";

/** @param from the sender. @returns the route by this sender, or undefined for an entry to ignore. */
export function readEntry(entry: RipEntry, port: RouterPort, from: number): Offer | undefined {
  const { family, network, mask, metric, tag } = entry;
  const prefixLength = prefixLengthOf(mask);
  const via = nextHopFrom(entry, port.ipv4 as Interface4, from);
  if (family !== RIP_FAMILY_IPV4 || prefixLength === null || via === undefined) return undefined;
  if (network4(network, prefixLength) !== network || metric < 1 || metric > RIP_INFINITY) return undefined;
  // The default route is 0.0.0.0/0; no other network begins with 0.
  if (network === 0 ? prefixLength !== 0 : !isHostAddress(network)) return undefined;
  return {
    network,
    prefixLength,
    // The cost of each link is 1 (section 3.9.2).
    metric: Math.min(metric + 1, RIP_INFINITY),
    tag,
    origin: "rip",
    port: port.index,
    via,
    from,
  };
}

/** The sender, if the next hop is not on the subnet; undefined if it is this router, to which the packets would return. */
function nextHopFrom({ nextHop }: RipEntry, subnet: Interface4, from: number): number | undefined {
  if (nextHop === subnet.address) return undefined;
  const isDirect =
    nextHop !== 0 &&
    contains4(subnet, nextHop) &&
    nextHop !== subnet.broadcast &&
    (subnet.broadcast === undefined || nextHop !== network4(subnet.address, subnet.prefixLength));
  return isDirect ? nextHop : from;
}
