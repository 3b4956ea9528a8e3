/** The MTU of the PC's link, for IPv6. */
import { DEFAULT_MTU_BYTES, type PcState } from "../state.ts";

/** Every IPv6 link carries packets of this size (RFC 8200, section 5). */
export const MTU6_MIN_BYTES = 1280;

/** Returns the MTU of `set mtu`, or a router's smaller one. An MTU below the IPv6 minimum applies to IPv4 only. */
export function linkMtu6({ mtuBytes, ipv6 }: Pick<PcState, "mtuBytes" | "ipv6">): number {
  const linkBytes = Math.max(MTU6_MIN_BYTES, mtuBytes);
  return ipv6.mtuBytes === DEFAULT_MTU_BYTES ? linkBytes : Math.min(linkBytes, ipv6.mtuBytes);
}
