/** IGMP (RFC 3376) for snooping. 224.0.0.x is for all: protocols between neighbours send no reports for these groups (RFC 4541, 2.1.2). */
import { readU16, readU32 } from "../../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV4, etherType } from "../../../wire/ethernet.ts";
import { decodeIgmp, encodeIgmpQuery, PROTOCOL_IGMP } from "../../../wire/igmp.ts";
import { PROTOCOL_PIM } from "../../../wire/ipv4.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import type { GroupFrame, GroupProtocol } from "../multicast/protocol.ts";

const LOCAL_GROUPS = 0xe0_0000;
const FRAGMENT_OFFSET = 0x1fff;
const AT = ETHERNET_HEADER_BYTES;

const same = (address: number): number => address;

export const IGMP: GroupProtocol<number, number> = {
  none: 0,
  save: same,
  restore: same,
  format: formatIpv4,
  asksWithoutAddress: true,
  version: 2,
  read,
  encodeQuery: encodeIgmpQuery,
};

function read(frame: Uint8Array): GroupFrame<number> | undefined {
  if (etherType(frame) !== ETHERTYPE_IPV4 || frame.length < AT + 20) return undefined;
  const group = readU32(frame, AT + 16);
  const isFirst = (readU16(frame, AT + 6) & FRAGMENT_OFFSET) === 0;
  const protocol = frame[AT + 9];
  const end = Math.min(frame.length, AT + readU16(frame, AT + 2));
  const isIgmp = protocol === PROTOCOL_IGMP && isFirst;
  return {
    group,
    source: readU32(frame, AT + 12),
    isOfRouter: protocol === PROTOCOL_PIM,
    isForAll: group >>> 8 === LOCAL_GROUPS,
    message: isIgmp ? decodeIgmp(frame, AT + (frame[AT]! & 15) * 4, end) : undefined,
  };
}
