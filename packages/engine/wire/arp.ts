/**
 * ARP for IPv4 over Ethernet (RFC 826): 28 bytes after the Ethernet header.
 *
 *     0     2      4    5    6        8            14         18           24
 *     hw 1  0800   6    4    opcode   sender MAC   sender IP  target MAC   target IP
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_ARP, etherType, writeEthernetHeader } from "./ethernet.ts";
import { readMac, writeMac } from "./mac.ts";

export const ARP_BYTES = 28;
export const ARP_REQUEST = 1;
export const ARP_REPLY = 2;

const HARDWARE_ETHERNET = 1;

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
  if (readU16(frame, at) !== HARDWARE_ETHERNET || readU16(frame, at + 2) !== 0x0800) return null;
  if (readU16(frame, at + 4) !== 0x0604) return null;
  return {
    opcode: readU16(frame, at + 6),
    senderMac: readMac(frame, at + 8),
    senderIp: readU32(frame, at + 14),
    targetMac: readMac(frame, at + 18),
    targetIp: readU32(frame, at + 24),
  };
}

/** Returns a frame of `frameBytes` (42 or more), padded with zeros. */
export function encodeArp(frameTarget: number, frameSource: number, arp: Arp, frameBytes = 42): Uint8Array {
  const frame = new Uint8Array(Math.max(frameBytes, ETHERNET_HEADER_BYTES + ARP_BYTES));
  const at = ETHERNET_HEADER_BYTES;
  writeEthernetHeader(frame, frameTarget, frameSource, ETHERTYPE_ARP);
  writeU16(frame, at, HARDWARE_ETHERNET);
  writeU16(frame, at + 2, 0x0800);
  writeU16(frame, at + 4, 0x0604);
  writeU16(frame, at + 6, arp.opcode);
  writeMac(frame, at + 8, arp.senderMac);
  writeU32(frame, at + 14, arp.senderIp);
  writeMac(frame, at + 18, arp.targetMac);
  writeU32(frame, at + 24, arp.targetIp);
  return frame;
}
