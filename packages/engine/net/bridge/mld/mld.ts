/**
 * MLD (RFC 2710, RFC 3810) for snooping. Groups of a node or a link (ff01::, ff02::) are for all: many hosts, those of this engine among
 * them, do not report the solicited-node groups by which neighbours find them.
 */
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV6, etherType } from "../../../wire/ethernet.ts";
import { PROTOCOL_PIM } from "../../../wire/ipv4.ts";
import { decodeIpv6, IPV6_HEADER_BYTES } from "../../../wire/ipv6.ts";
import { formatIpv6, isLinkLocal, parseIpv6 } from "../../../wire/ipv6-address.ts";
import { decodeMld, encodeMldQuery } from "../../../wire/mld.ts";
import type { GroupFrame, GroupProtocol } from "../multicast/protocol.ts";

/** The scope of a group is in its second byte (RFC 4291, 2.7). */
const LINK_SCOPE = 2n;
const AT = ETHERNET_HEADER_BYTES;

export const MLD: GroupProtocol<bigint, string> = {
  none: 0n,
  save: formatIpv6,
  restore: (saved) => parseIpv6(saved)!,
  format: formatIpv6,
  // RFC 3810, 5.1.14: queries from other than link-local addresses are ignored.
  asksWithoutAddress: false,
  version: 2,
  read,
  encodeQuery: encodeMldQuery,
};

function read(frame: Uint8Array): GroupFrame<bigint> | undefined {
  if (etherType(frame) !== ETHERTYPE_IPV6) return undefined;
  const header = decodeIpv6(frame, AT);
  if (header === null) return undefined;
  const { source, target: group, nextHeader, payloadBytes } = header;
  const message = decodeMld(frame, AT, AT + IPV6_HEADER_BYTES + payloadBytes);
  const isQuery = message?.kind === "query";
  return {
    group,
    source,
    isOfRouter: nextHeader === PROTOCOL_PIM,
    isForAll: ((group >> 112n) & 15n) <= LINK_SCOPE,
    message: isQuery && !isLinkLocal(source) ? undefined : message,
  };
}
