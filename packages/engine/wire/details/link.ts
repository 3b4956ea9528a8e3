/** Link layers: Ethernet with tags, LLC; the others by their protocol field. */
import { readU16 } from "../../base/bytes.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  ETHERTYPE_QINQ,
  ETHERTYPE_VLAN,
  VLAN_TAG_BYTES,
} from "../ethernet.ts";
import { ETHERTYPE_SLOW } from "../lacp.ts";
import { ETHERTYPE_LLDP } from "../lldp.ts";
import { isTagType } from "../vlan-tag.ts";
import { readArp, readIpv4Layer, readIpv6Layer } from "./internet.ts";
import {
  hex8,
  hex16,
  mac,
  makeLayer,
  type Next,
  named,
  type Read,
  type Reader,
  type Row,
  readRows,
} from "./layer.ts";

import { readLldp } from "./lldp.ts";
import { readSlowProtocol } from "./slow-protocols.ts";

const SMALLEST_ETHERTYPE = 0x0600;
const LLC_HEADER_BYTES = 3;

const ETHERTYPES: Readonly<Record<number, string>> = {
  [ETHERTYPE_IPV4]: "IPv4",
  [ETHERTYPE_ARP]: "ARP",
  [ETHERTYPE_IPV6]: "IPv6",
  [ETHERTYPE_VLAN]: "802.1Q",
  [ETHERTYPE_QINQ]: "802.1ad",
  34887: "MPLS",
  [ETHERTYPE_LLDP]: "LLDP",
  [ETHERTYPE_SLOW]: "slow protocols",
};

const typeOrLength = (bytes: Uint8Array, at: number): string => {
  const value = readU16(bytes, at);
  return value < SMALLEST_ETHERTYPE ? `${value} (length)` : named(hex16(bytes, at), ETHERTYPES[value]);
};

const ETHERNET: readonly Row[] = [
  ["Destination", 0, 6, mac],
  ["Source", 6, 6, mac],
  ["Type", 12, 2, typeOrLength],
];

export const readEthernet: Reader = (bytes, at, end): Read => ({
  layer: makeLayer("Ethernet", at, ETHERNET_HEADER_BYTES, end, readRows(bytes, at, end, ETHERNET)),
  next: afterType(bytes, at + 12, end),
});

const TAG: readonly Row[] = [
  ["Priority", 0, 2, (bytes, at) => String(bytes[at]! >> 5)],
  ["VLAN", 0, 2, (bytes, at) => String(readU16(bytes, at) & 0xfff)],
  ["Type", 2, 2, typeOrLength],
];

const readTag: Reader = (bytes, at, end) => ({
  layer: makeLayer("802.1Q", at, VLAN_TAG_BYTES, end, readRows(bytes, at, end, TAG)),
  next: afterType(bytes, at + 2, end),
});

const LLC: readonly Row[] = [
  ["DSAP", 0, 1, hex8],
  ["SSAP", 1, 1, hex8],
  ["Control", 2, 1, hex8],
];

const readLlc: Reader = (bytes, at, end) => ({
  layer: makeLayer("LLC", at, LLC_HEADER_BYTES, end, readRows(bytes, at, end, LLC)),
});

/** @param at the offset of an EtherType, or of a length. */
function afterType(bytes: Uint8Array, at: number, end: number): Next | undefined {
  if (at + 2 > end) return undefined;
  const type = readU16(bytes, at);
  if (type < SMALLEST_ETHERTYPE) return { read: readLlc, at: at + 2, end: Math.min(end, at + 2 + type) };
  const read = isTagType(type) ? readTag : BY_ETHERTYPE[type];
  return read && { read, at: at + 2, end };
}

const BY_ETHERTYPE: Readonly<Record<number, Reader>> = {
  [ETHERTYPE_IPV4]: readIpv4Layer,
  [ETHERTYPE_IPV6]: readIpv6Layer,
  [ETHERTYPE_ARP]: readArp,
  [ETHERTYPE_LLDP]: readLldp,
  [ETHERTYPE_SLOW]: readSlowProtocol,
};

const HDLC: readonly Row[] = [
  ["Address", 0, 1, hex8],
  ["Control", 1, 1, hex8],
  ["Type", 2, 2, typeOrLength],
];

/** Address, control, EtherType. */
export const readCiscoHdlc: Reader = (bytes, at, end) => ({
  layer: makeLayer("Cisco HDLC", at, 4, end, readRows(bytes, at, end, HDLC)),
  next: afterType(bytes, at + 2, end),
});

const PPP: readonly Row[] = [
  ["Address", 0, 1, hex8],
  ["Control", 1, 1, hex8],
  ["Protocol", 2, 2, hex16],
];
const PPP_IPV4 = 0x0021;
const PPP_IPV6 = 0x0057;
const PPP_HEADER_BYTES = 4;

/** PPP in HDLC-like framing (RFC 1662), with address and control. */
export const readPpp: Reader = (bytes, at, end) => {
  const protocol = at + PPP_HEADER_BYTES <= end ? readU16(bytes, at + 2) : undefined;
  const read = protocol === PPP_IPV4 ? readIpv4Layer : protocol === PPP_IPV6 ? readIpv6Layer : undefined;
  return {
    layer: makeLayer("PPP", at, PPP_HEADER_BYTES, end, readRows(bytes, at, end, PPP)),
    next: read && { read, at: at + PPP_HEADER_BYTES, end },
  };
};
