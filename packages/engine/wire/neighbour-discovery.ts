/**
 * Validates messages of IPv6 neighbour discovery (RFC 4861): a receiver silently drops invalid ones.
 *
 *     router solicitation 6.1.1     router advertisement 6.1.2     neighbour solicitation 7.1.1     advertisement 7.1.2
 */
import {
  findOption,
  ND_HOP_LIMIT,
  NEIGHBOUR_ADVERTISEMENT,
  NEIGHBOUR_SOLICITATION,
  OPTION_SOURCE_LINK_ADDRESS,
  ROUTER_ADVERTISEMENT,
  ROUTER_SOLICITATION,
} from "./icmpv6.ts";
import type { Ipv6Header } from "./ipv6.ts";
import { isLinkLocal, isMulticastIpv6, readIpv6, solicitedNode } from "./ipv6-address.ts";

/** The offset of the options, by message type; a shorter message is truncated. */
const OPTIONS_AT: Readonly<Record<number, number>> = {
  [ROUTER_SOLICITATION]: 8,
  [ROUTER_ADVERTISEMENT]: 16,
  [NEIGHBOUR_SOLICITATION]: 24,
  [NEIGHBOUR_ADVERTISEMENT]: 24,
};
const TARGET_AT = 8;
const SOLICITED_FLAG = 0x40;

/** @param message an ICMPv6 message with a verified checksum. @returns false for messages outside neighbour discovery. */
export function isValidDiscovery(header: Ipv6Header, message: Uint8Array): boolean {
  const optionsAt = OPTIONS_AT[message[0] as number];
  if (optionsAt === undefined || message.length < optionsAt) return false;
  if (header.hopLimit !== ND_HOP_LIMIT || message[1] !== 0) return false;
  return areOptionsWhole(message, optionsAt) && isPossible(header, message, optionsAt);
}

/** Whether each option has a length above 0, and the last one ends with the message. */
function areOptionsWhole(message: Uint8Array, optionsAt: number): boolean {
  let at = optionsAt;
  while (at < message.length) {
    const length = (message[at + 1] ?? 0) * 8;
    if (length === 0) return false;
    at += length;
  }
  return at === message.length;
}

/** Whether the source and target in the header are possible for this message. */
function isPossible({ source, target }: Ipv6Header, message: Uint8Array, optionsAt: number): boolean {
  const tellsSender = findOption(message, optionsAt, OPTION_SOURCE_LINK_ADDRESS) !== undefined;
  switch (message[0]) {
    case ROUTER_SOLICITATION:
      return source !== 0n || !tellsSender;
    case ROUTER_ADVERTISEMENT:
      return isLinkLocal(source);
    case NEIGHBOUR_SOLICITATION: {
      const wanted = readIpv6(message, TARGET_AT);
      return (
        !isMulticastIpv6(wanted) && (source !== 0n || (target === solicitedNode(wanted) && !tellsSender))
      );
    }
    default: {
      const isSolicited = ((message[4] as number) & SOLICITED_FLAG) !== 0;
      return !isMulticastIpv6(readIpv6(message, TARGET_AT)) && !(isSolicited && isMulticastIpv6(target));
    }
  }
}
