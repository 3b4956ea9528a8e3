/** Ethernet: header, tags, LLC and SNAP, and the payloads identified by an EtherType. */
import { readU16, readU32 } from "../../base/bytes.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  VLAN_TAG_BYTES,
} from "../ethernet.ts";
import { ETHERTYPE_SLOW } from "../lacp.ts";
import { ETHERTYPE_LLDP } from "../lldp.ts";
import { formatMac, readMac } from "../mac.ts";
import { isTagType } from "../vlan-tag.ts";
import { decodeArp } from "./arp.ts";
import { decodeIpv4 } from "./ipv4.ts";
import { decodeIpv6 } from "./ipv6.ts";
import { decodeLldpPacket } from "./lldp.ts";
import { hex, type Packet } from "./packet.ts";
import { decodeSlowProtocol } from "./slow-protocols.ts";

/** Smaller values are lengths (IEEE 802.3). */
const SMALLEST_ETHERTYPE = 0x0600;

export function decodeEthernet(packet: Packet, at: number): void {
  packet.protocol = "Ethernet";
  if (!packet.has(at, ETHERNET_HEADER_BYTES, "Ethernet header")) return;
  packet.targetMac = formatMac(readMac(packet.bytes, at));
  packet.sourceMac = formatMac(readMac(packet.bytes, at + 6));
  decodeTyped(packet, at + 12);
}

/** Decodes from the field that holds an EtherType or a length. */
function decodeTyped(packet: Packet, fieldAt: number): void {
  let at = fieldAt;
  let type = readU16(packet.bytes, at);
  while (isTagType(type)) {
    packet.protocol = "802.1Q";
    if (!packet.has(at + 2, VLAN_TAG_BYTES, "802.1Q tag")) return;
    packet.vlan ??= readU16(packet.bytes, at + 2) & 0x0fff;
    at += VLAN_TAG_BYTES;
    type = readU16(packet.bytes, at);
  }
  if (type >= SMALLEST_ETHERTYPE) decodeEtherType(packet, type, at + 2);
  else {
    packet.protocol = "LLC";
    if (packet.limit(at + 2, type, "802.3 frame")) decodeLlc(packet, at + 2);
  }
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x0842, "WoL"],
  [0x8035, "RARP"],
  [0x8137, "IPX"],
  [0x8847, "MPLS"],
  [0x8863, "PPPoED"],
  [0x8864, "PPPoES"],
  [0x888e, "EAPOL"],
  [0x88e5, "MACsec"],
  [0x9000, "Loopback"],
]);

/** Decodes the payload of a link header by its EtherType. */
export function decodeEtherType(packet: Packet, type: number, at: number): void {
  if (type === ETHERTYPE_IPV4) decodeIpv4(packet, at);
  else if (type === ETHERTYPE_IPV6) decodeIpv6(packet, at);
  else if (type === ETHERTYPE_ARP) decodeArp(packet, at);
  else if (type === ETHERTYPE_SLOW) decodeSlowProtocol(packet, at);
  else if (type === ETHERTYPE_LLDP) decodeLldpPacket(packet, at);
  else packet.describeSize(NAMES.get(type), `EtherType ${hex(type)}`, at);
}

const SAP_SPANNING_TREE = 0x4242;
const SAP_SNAP = 0xaaaa;
const SAP_RAW_IPX = 0xffff;

function decodeLlc(packet: Packet, at: number): void {
  if (!packet.has(at, 3, "LLC header")) return;
  const access = readU16(packet.bytes, at);
  if (access === SAP_SNAP) decodeSnap(packet, at + 3);
  else if (access === SAP_SPANNING_TREE) decodeSpanningTree(packet, at + 3);
  else if (access === SAP_RAW_IPX) packet.describeSize("IPX", "", at);
  else packet.describeSize(undefined, `DSAP ${hex(access >> 8, 2)}, SSAP ${hex(access & 255, 2)}`, at + 3);
}

const LLC_UNNUMBERED = 0x03;
const OUI_ETHERTYPE = 0x00_0000;
const OUI_CISCO = 0x00_000c;
const OUI_BRIDGED = 0x00_80c2;
/** Bridged Ethernet with and without frame check sequence (RFC 2684, RFC 2427). */
const BRIDGED_ETHERNET = new Set([1, 7]);
const CISCO_NAMES: ReadonlyMap<number, string> = new Map([
  [0x010b, "PVST+"],
  [0x0111, "UDLD"],
  [0x2000, "CDP"],
  [0x2003, "VTP"],
  [0x2004, "DTP"],
]);

/** Decodes from the organisation's number. */
export function decodeSnap(packet: Packet, at: number): void {
  packet.protocol = "SNAP";
  if (!packet.has(at, 5, "SNAP header")) return;
  const organisation = readU32(packet.bytes, at) >>> 8;
  const type = readU16(packet.bytes, at + 3);
  if (organisation === OUI_ETHERTYPE) decodeEtherType(packet, type, at + 5);
  else if (organisation === OUI_BRIDGED && BRIDGED_ETHERNET.has(type)) {
    // RFC 2684, which has an LLC header before this one, pads to a multiple of 4.
    const padding = packet.bytes[at - 1] === LLC_UNNUMBERED ? 2 : 0;
    decodeEthernet(packet, at + 5 + padding);
  } else {
    const name = organisation === OUI_CISCO ? CISCO_NAMES.get(type) : undefined;
    packet.describeSize(name, `organisation ${hex(organisation, 6)}, type ${hex(type)}`, at + 5);
  }
}

const BPDU_TOPOLOGY_CHANGE = 0x80;

function decodeSpanningTree(packet: Packet, at: number): void {
  packet.protocol = "STP";
  if (!packet.has(at, 4, "BPDU")) return;
  const { bytes } = packet;
  if (bytes[at + 3] === BPDU_TOPOLOGY_CHANGE) {
    packet.info = "Topology change";
    return;
  }
  if (!packet.has(at, 27, "BPDU")) return;
  if ((bytes[at + 2] as number) >= 2) packet.protocol = "RSTP";
  const root = `${readU16(bytes, at + 5)}/${formatMac(readMac(bytes, at + 7))}`;
  packet.info = `Root ${root} cost=${readU32(bytes, at + 13)} port=${hex(readU16(bytes, at + 25))}`;
}
