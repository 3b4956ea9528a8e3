/**
 * ARP for IPv4 over Ethernet (RFC 826): 28 bytes after the Ethernet header.
 *
 *     0     2      4    5    6        8            14         18           24
 *     hw 1  0800   6    4    opcode   sender MAC   sender IP  target MAC   target IP
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  etherType,
  writeEthernetHeader,
} from "./ethernet.ts";
import { readMac, writeMac } from "./mac.ts";
import { lacks, type Place, type Protocol } from "./protocol.ts";
import { dec8, dec16, hex16, ipv4, mac } from "./show.ts";

export const ARP_BYTES = 28;
export const ARP_REQUEST = 1;
export const ARP_REPLY = 2;

const HARDWARE_ETHERNET = 1;
const ADDRESS_LENGTHS = 0x0604;

export interface Arp {
  readonly opcode: number;
  readonly senderMac: number;
  readonly senderIp: number;
  readonly targetMac: number;
  readonly targetIp: number;
}

/** Returns null if the frame is not a whole ARP packet for IPv4 over Ethernet. */
export function decodeArp(frame: Uint8Array): Arp | null {
  const at = ETHERNET_HEADER_BYTES;
  if (frame.length < at + ARP_BYTES || etherType(frame) !== ETHERTYPE_ARP) return null;
  if (!isIpv4OverEthernet(frame, at)) return null;
  return {
    opcode: readU16(frame, at + 6),
    senderMac: readMac(frame, at + 8),
    senderIp: readU32(frame, at + 14),
    targetMac: readMac(frame, at + 18),
    targetIp: readU32(frame, at + 24),
  };
}

const isIpv4OverEthernet = (bytes: Uint8Array, at: number): boolean =>
  readU16(bytes, at) === HARDWARE_ETHERNET &&
  readU16(bytes, at + 2) === ETHERTYPE_IPV4 &&
  readU16(bytes, at + 4) === ADDRESS_LENGTHS;

/** Returns a frame of `frameBytes` (42 or more), padded with zeros. */
export function encodeArp(frameTarget: number, frameSource: number, arp: Arp, frameBytes = 42): Uint8Array {
  const frame = new Uint8Array(Math.max(frameBytes, ETHERNET_HEADER_BYTES + ARP_BYTES));
  const at = ETHERNET_HEADER_BYTES;
  writeEthernetHeader(frame, frameTarget, frameSource, ETHERTYPE_ARP);
  writeU16(frame, at, HARDWARE_ETHERNET);
  writeU16(frame, at + 2, ETHERTYPE_IPV4);
  writeU16(frame, at + 4, ADDRESS_LENGTHS);
  writeU16(frame, at + 6, arp.opcode);
  writeMac(frame, at + 8, arp.senderMac);
  writeU32(frame, at + 14, arp.senderIp);
  writeMac(frame, at + 18, arp.targetMac);
  writeU32(frame, at + 24, arp.targetIp);
  return frame;
}

const HEADER = [
  ["Hardware type", 0, 2, dec16],
  ["Protocol type", 2, 2, hex16, "ethertype"],
  ["Hardware length", 4, 1, dec8],
  ["Protocol length", 5, 1, dec8],
  ["Opcode", 6, 2, dec16, { 1: "request", 2: "reply" }],
] as const;

/** Its addresses appear in the line only: source and target of the packet stay the MACs of the frame. */
export const ARP: Protocol = {
  name: "ARP",
  least: [8, "ARP header"],
  check: (place) =>
    isIpv4OverEthernet(place.bytes, place.at)
      ? (lacks(place, ARP_BYTES, "ARP") ?? place.at + ARP_BYTES)
      : undefined,
  length: () => ARP_BYTES,
  layout: ({ bytes, at }) =>
    isIpv4OverEthernet(bytes, at)
      ? [
          ...HEADER,
          ["Sender MAC", 8, 6, mac],
          ["Sender IP", 14, 4, ipv4],
          ["Target MAC", 18, 6, mac],
          ["Target IP", 24, 4, ipv4],
        ]
      : HEADER,
  line: ({ bytes, at }: Place) => {
    const opcode = readU16(bytes, at + 6);
    if (!isIpv4OverEthernet(bytes, at)) return `opcode ${opcode}, not of IPv4 over Ethernet`;
    const [sender, target] = [ipv4(bytes, at + 14), ipv4(bytes, at + 24)];
    if (opcode === ARP_REPLY)
      return `${sender === target ? "Announces " : ""}${sender} is at ${mac(bytes, at + 8)}`;
    if (opcode !== ARP_REQUEST) return `opcode ${opcode}`;
    if (sender === target) return `Announces ${sender}`;
    return sender === "0.0.0.0" ? `Who has ${target}? (probe)` : `Who has ${target}? Tell ${sender}`;
  },
};
