/** Sends the PC's own IPv6 packets, and selects their source addresses. */
import {
  encodeIcmpv6,
  encodeNeighbour,
  ND_HOP_LIMIT,
  type Neighbour,
  ROUTER_SOLICITATION,
} from "../../../wire/icmpv6.ts";
import { PROTOCOL_ICMPV6 } from "../../../wire/ipv4.ts";
import { ALL_ROUTERS, isLinkLocal } from "../../../wire/ipv6-address.ts";
import { ipv6MulticastMac } from "../../../wire/mac.ts";
import type { Host } from "../host.ts";

export const isOwnIpv6 = (host: Host, address: bigint): boolean =>
  address === host.linkLocal || address === host.global;

/** Returns the source address for a packet to `target`: one of the same scope, if there is one. */
export function sourceFor(host: Host, target: bigint): bigint {
  return isLinkLocal(target) ? host.linkLocal : (host.global ?? host.linkLocal);
}

/** Solicits routers, from the unspecified address if there is no global one (RFC 4861 section 4.1), without options. */
export function sendRouterSolicitation(host: Host): void {
  host.sendIpv6(
    ipv6MulticastMac(ALL_ROUTERS),
    {
      source: host.global ?? 0n,
      target: ALL_ROUTERS,
      nextHeader: PROTOCOL_ICMPV6,
      hopLimit: ND_HOP_LIMIT,
    },
    encodeIcmpv6(ROUTER_SOLICITATION, 0, 0, new Uint8Array()),
  );
}

/** Sends a neighbour discovery message with hop limit 255, which proves that it comes from the link. */
export function sendNeighbour(
  host: Host,
  targetMac: number,
  source: bigint,
  target: bigint,
  message: Neighbour,
): void {
  host.sendIpv6(
    targetMac,
    { source, target, nextHeader: PROTOCOL_ICMPV6, hopLimit: ND_HOP_LIMIT },
    encodeNeighbour(message),
  );
}
