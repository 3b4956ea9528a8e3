/** Decodes a frame into the lines that `set dump detail` prints. */

import { readU16, readU32 } from "../../../base/bytes.ts";
import { ARP_REQUEST, decodeArp } from "../../../wire/arp.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  etherType,
  sourceMac,
  targetMac,
} from "../../../wire/ethernet.ts";
import { ICMP_ECHO, ICMP_ECHO_REPLY } from "../../../wire/icmp.ts";
import {
  decodeIpv4,
  PROTOCOL_ICMP,
  PROTOCOL_ICMPV6,
  PROTOCOL_TCP,
  PROTOCOL_UDP,
} from "../../../wire/ipv4.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { decodeIpv6, IPV6_HEADER_BYTES } from "../../../wire/ipv6.ts";
import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import { BROADCAST_MAC, formatMac } from "../../../wire/mac.ts";
import { decodeTcp, type Tcp } from "../../../wire/tcp.ts";
import { decodeUdp, type Udp } from "../../../wire/udp.ts";
import { icmpErrorName } from "./icmp-error.ts";

const FLOW_LABEL_MASK = 0xf_ffff;
const ICMPV6_NAMES: Readonly<Record<number, string>> = {
  1: "ICMPv6 destination unreachable",
  2: "ICMPv6 packet too big",
  3: "ICMPv6 time exceeded",
  128: "ICMPv6 echo request",
  129: "ICMPv6 echo reply",
  133: "ICMPv6 router solicitation",
  134: "ICMPv6 router advertisement",
  135: "ICMPv6 neighbor solicitation",
  136: "ICMPv6 neighbor advertisement",
};
/** In bit order, lowest first (RFC 9293 section 3.1). */
const TCP_FLAG_LETTERS = "FSRPAUEC";
const CHECKSUM_OFFSET = { ip: 10, udp: 6, tcp: 16 } as const;

/** Returns an empty list for a frame that carries neither ARP nor IP. */
export function frameDetails(frame: Uint8Array): string[] {
  switch (etherType(frame)) {
    case ETHERTYPE_IPV4:
      return ipv4Details(frame);
    case ETHERTYPE_IPV6:
      return ipv6Details(frame);
    default:
      return arpDetails(frame);
  }
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

function arpDetails(frame: Uint8Array): string[] {
  const arp = decodeArp(frame);
  if (arp === null) return [];
  const { opcode, senderIp, senderMac, targetIp } = arp;
  const receiver = targetMac(frame) === BROADCAST_MAC ? "Broadcast" : formatMac(targetMac(frame));
  const isRequest = opcode === ARP_REQUEST;
  return [
    `ARP, OpCode: ${opcode} (${isRequest ? "Request" : "Reply"})`,
    `Ether Address: ${formatMac(sourceMac(frame))} -> ${receiver}`,
    isRequest
      ? `Who has ${formatIpv4(targetIp)}? Tell ${formatIpv4(senderIp)}`
      : `${formatIpv4(senderIp)} is at ${formatMac(senderMac)}`,
  ];
}

function ipv4Details(frame: Uint8Array): string[] {
  const at = ETHERNET_HEADER_BYTES;
  const header = decodeIpv4(frame, at);
  if (header === null) return [];
  const { id, totalBytes, ttl, headerBytes, source, target, protocol, dontFragment } = header;
  const sum = hex(readU16(frame, at + CHECKSUM_OFFSET.ip), 4);
  const flag = dontFragment ? ", DF" : "";
  return [
    `IPv4, id: ${hex(id, 1)}, length: ${totalBytes}, ttl: ${ttl}, sum: ${sum}${flag}`,
    `Address: ${formatIpv4(source)} -> ${formatIpv4(target)}`,
    ...payloadDetails(protocol, frame.subarray(at + headerBytes, at + totalBytes)),
  ];
}

function ipv6Details(frame: Uint8Array): string[] {
  const at = ETHERNET_HEADER_BYTES;
  const header = decodeIpv6(frame, at);
  if (header === null) return [];
  const { nextHeader, payloadBytes, hopLimit, source, target } = header;
  const flow = readU32(frame, at) & FLOW_LABEL_MASK;
  const start = at + IPV6_HEADER_BYTES;
  return [
    `IPv6, flowid: ${hex(flow, 1)}, length: ${payloadBytes}, ttl: ${hopLimit}`,
    `Address: ${formatIpv6(source)} -> ${formatIpv6(target)}`,
    ...payloadDetails(nextHeader, frame.subarray(start, start + payloadBytes)),
  ];
}

/** @param payload may be shorter than the header of its protocol. */
function payloadDetails(protocol: number, payload: Uint8Array): string[] {
  const udp = protocol === PROTOCOL_UDP ? decodeUdp(payload) : null;
  const tcp = protocol === PROTOCOL_TCP ? decodeTcp(payload) : null;
  if (udp !== null) return udpDetails(udp, payload);
  if (tcp !== null) return tcpDetails(tcp, payload);
  if (protocol === PROTOCOL_ICMP) return icmpDetails(payload, icmpName);
  if (protocol === PROTOCOL_ICMPV6) return icmpDetails(payload, (type) => ICMPV6_NAMES[type] ?? "");
  return [`Proto: ${protocol}`];
}

function icmpDetails(payload: Uint8Array, nameOf: (type: number, code: number) => string): string[] {
  const [type = 0, code = 0] = payload;
  const name = nameOf(type, code);
  return [`Proto: icmp, type: ${type}, code: ${code}`, ...(name === "" ? [] : [`Desc: ${name}`])];
}

function icmpName(type: number, code: number): string {
  if (type === ICMP_ECHO) return "Echo";
  return type === ICMP_ECHO_REPLY ? "Echo reply" : icmpErrorName(type, code);
}

function udpDetails({ sourcePort, targetPort }: Udp, payload: Uint8Array): string[] {
  const sum = hex(readU16(payload, CHECKSUM_OFFSET.udp), 4);
  return [`Proto: udp, len: ${readU16(payload, 4)}, sum: ${sum}`, `Port: ${sourcePort} -> ${targetPort}`];
}

function tcpDetails(tcp: Tcp, payload: Uint8Array): string[] {
  const { sourcePort, targetPort, sequence, acknowledgement, flags } = tcp;
  const letters = Array.from(TCP_FLAG_LETTERS).filter((_, bit) => flags & (1 << bit));
  const sum = hex(readU16(payload, CHECKSUM_OFFSET.tcp), 4);
  const numbers = `ack: ${hex(acknowledgement, 8)}, seq: ${hex(sequence, 8)}`;
  return [
    `Proto: tcp, sum: ${sum}, ${numbers}, flags: ${letters.join("")}`,
    `Port: ${sourcePort} -> ${targetPort}`,
  ];
}
