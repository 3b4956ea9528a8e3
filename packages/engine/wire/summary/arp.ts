/** ARP (RFC 826). Its addresses appear in the text only: source and target stay the MACs of the frame. */

import { readU16, readU32 } from "../../base/bytes.ts";
import { ARP_BYTES, ARP_REPLY, ARP_REQUEST } from "../arp.ts";
import { formatIpv4 } from "../ipv4-address.ts";
import { formatMac, readMac } from "../mac.ts";
import type { Packet } from "./packet.ts";

const HARDWARE_AND_PROTOCOL = 0x0001_0800;
const ADDRESS_LENGTHS = 0x0604;

export function decodeArp(packet: Packet, at: number): void {
  const { bytes } = packet;
  packet.protocol = "ARP";
  if (!packet.has(at, 8, "ARP header")) return;
  const opcode = readU16(bytes, at + 6);
  if (readU32(bytes, at) !== HARDWARE_AND_PROTOCOL || readU16(bytes, at + 4) !== ADDRESS_LENGTHS) {
    packet.info = `opcode ${opcode}, not of IPv4 over Ethernet`;
    return;
  }
  if (!packet.has(at, ARP_BYTES, "ARP")) return;
  const senderMac = formatMac(readMac(bytes, at + 8));
  const sender = formatIpv4(readU32(bytes, at + 14));
  const target = formatIpv4(readU32(bytes, at + 24));
  packet.info = describe(opcode, sender, senderMac, target);
}

function describe(opcode: number, sender: string, senderMac: string, target: string): string {
  if (opcode === ARP_REPLY)
    return sender === target ? `Announces ${sender} is at ${senderMac}` : `${sender} is at ${senderMac}`;
  if (opcode !== ARP_REQUEST) return `opcode ${opcode}`;
  if (sender === target) return `Announces ${sender}`;
  return sender === "0.0.0.0" ? `Who has ${target}? (probe)` : `Who has ${target}? Tell ${sender}`;
}
