/** What a frame means, in lines, as `set dump detail` shows it. */
import { ARP_REQUEST, decodeArp } from "../../../wire/arp.ts";
import { readU16 } from "../../../wire/bytes.ts";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV4, ETHERTYPE_IPV6, etherType } from "../../../wire/ethernet.ts";
import { ICMP_ECHO, ICMP_ECHO_REPLY } from "../../../wire/icmp.ts";
import { decodeIpv4, PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { decodeIpv6 } from "../../../wire/ipv6.ts";
import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import { formatMac } from "../../../wire/mac.ts";
import { decodeTcp } from "../../../wire/tcp.ts";
import { decodeUdp } from "../../../wire/udp.ts";
import { icmpErrorName } from "./icmp-error.ts";

/** In the order of their bits (RFC 9293 section 3.1). */
const TCP_FLAG_LETTERS = "FSRPAUEC";
const CHECKSUM_OFFSET = { ip: 10, udp: 6, tcp: 16 } as const;

/** Empty for what is neither ARP nor IP. */
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

const hex16 = (value: number): string => value.toString(16).padStart(4, "0");

function arpDetails(frame: Uint8Array): string[] {
  const arp = decodeArp(frame);
  if (arp === null) return [];
  const { opcode, senderIp, senderMac, targetIp } = arp;
  const isRequest = opcode === ARP_REQUEST;
  return [
    `ARP, opcode: ${opcode}`,
    isRequest
      ? `Desc: Who has ${formatIpv4(targetIp)}, tell ${formatIpv4(senderIp)}`
      : `Desc: ${formatIpv4(senderIp)} is at ${formatMac(senderMac)}`,
  ];
}

function ipv4Details(frame: Uint8Array): string[] {
  const at = ETHERNET_HEADER_BYTES;
  const header = decodeIpv4(frame, at);
  if (header === null) return [];
  const { id, totalBytes, ttl, headerBytes, source, target, protocol } = header;
  const sum = hex16(readU16(frame, at + CHECKSUM_OFFSET.ip));
  return [
    `IPv4, id: ${hex16(id)}, length: ${totalBytes}, ttl: ${ttl}, sum: ${sum}`,
    `Address: ${formatIpv4(source)} -> ${formatIpv4(target)}`,
    ...payloadDetails(protocol, frame.subarray(at + headerBytes, at + totalBytes)),
  ];
}

function ipv6Details(frame: Uint8Array): string[] {
  const header = decodeIpv6(frame, ETHERNET_HEADER_BYTES);
  if (header === null) return [];
  const { nextHeader, payloadBytes, hopLimit, source, target } = header;
  return [
    `IPv6, next header: ${nextHeader}, length: ${payloadBytes}, hop limit: ${hopLimit}`,
    `Address: ${formatIpv6(source)} -> ${formatIpv6(target)}`,
  ];
}

function payloadDetails(protocol: number, payload: Uint8Array): string[] {
  switch (protocol) {
    case PROTOCOL_ICMP:
      return icmpDetails(payload);
    case PROTOCOL_UDP:
      return udpDetails(payload);
    case PROTOCOL_TCP:
      return tcpDetails(payload);
    default:
      return [`Proto: ${protocol}`];
  }
}

function icmpDetails(payload: Uint8Array): string[] {
  const [type = 0, code = 0] = payload;
  const name = icmpName(type, code);
  return [`Proto: icmp, type: ${type}, code: ${code}`, ...(name === "" ? [] : [`Desc: ${name}`])];
}

function icmpName(type: number, code: number): string {
  if (type === ICMP_ECHO) return "Echo";
  return type === ICMP_ECHO_REPLY ? "Echo reply" : icmpErrorName(type, code);
}

function udpDetails(payload: Uint8Array): string[] {
  const udp = decodeUdp(payload);
  if (udp === null) return ["Proto: udp"];
  const sum = hex16(readU16(payload, CHECKSUM_OFFSET.udp));
  return [
    `Proto: udp, length: ${payload.length}, sum: ${sum}`,
    `Port: ${udp.sourcePort} -> ${udp.targetPort}`,
  ];
}

function tcpDetails(payload: Uint8Array): string[] {
  const tcp = decodeTcp(payload);
  if (tcp === null) return ["Proto: tcp"];
  const { sourcePort, targetPort, sequence, acknowledgement, flags, window } = tcp;
  const letters = Array.from(TCP_FLAG_LETTERS).filter((_, bit) => flags & (1 << bit));
  const sum = hex16(readU16(payload, CHECKSUM_OFFSET.tcp));
  return [
    `Proto: tcp, flags: ${letters.join("")}, seq: ${sequence}, ack: ${acknowledgement}, win: ${window}, sum: ${sum}`,
    `Port: ${sourcePort} -> ${targetPort}`,
  ];
}
