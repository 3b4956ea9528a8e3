/** ICMP (RFC 792, RFC 1191, RFC 1256). */
import { readU16, readU32 } from "../../base/bytes.ts";
import {
  FRAGMENTATION_NEEDED,
  ICMP_ECHO,
  ICMP_ECHO_REPLY,
  ICMP_HEADER_BYTES,
  ICMP_REDIRECT,
  ICMP_TIME_EXCEEDED,
  ICMP_UNREACHABLE,
} from "../icmp.ts";
import { formatIpv4 } from "../ipv4-address.ts";
import { hex, type IpPayload, type Packet } from "./packet.ts";

const UNREACHABLE_REASONS: Readonly<Record<number, string>> = {
  0: "Network unreachable",
  1: "Host unreachable",
  2: "Protocol unreachable",
  3: "Port unreachable",
  5: "Source route failed",
  6: "Network unknown",
  7: "Host unknown",
  9: "Network administratively prohibited",
  10: "Host administratively prohibited",
  13: "Communication administratively prohibited",
};

const OTHERS: Readonly<Record<number, string>> = {
  4: "Source quench",
  9: "Router advertisement",
  10: "Router solicitation",
  12: "Parameter problem",
  13: "Timestamp request",
  14: "Timestamp reply",
  17: "Address mask request",
  18: "Address mask reply",
};

export function decodeIcmp(packet: Packet, { at, ttl }: IpPayload): void {
  packet.protocol = "ICMP";
  if (packet.has(at, ICMP_HEADER_BYTES, "ICMP header"))
    packet.info = `${describe(packet.bytes, at)} ttl=${ttl}`;
}

function describe(bytes: Uint8Array, at: number): string {
  const type = bytes[at] as number;
  const code = bytes[at + 1] as number;
  switch (type) {
    case ICMP_ECHO:
    case ICMP_ECHO_REPLY:
      return echoText(type === ICMP_ECHO, bytes, at);
    case ICMP_UNREACHABLE:
      if (code === FRAGMENTATION_NEEDED) return `Fragmentation needed, MTU ${readU16(bytes, at + 6)}`;
      return UNREACHABLE_REASONS[code] ?? `Destination unreachable, code ${code}`;
    case ICMP_REDIRECT:
      return `Redirect to ${formatIpv4(readU32(bytes, at + 4))}`;
    case ICMP_TIME_EXCEEDED:
      return code === 0 ? "Time to live exceeded in transit" : "Fragment reassembly time exceeded";
    default:
      return OTHERS[type] ?? `type ${type}, code ${code}`;
  }
}

export function echoText(isRequest: boolean, bytes: Uint8Array, at: number): string {
  const id = hex(readU16(bytes, at + 4));
  return `Echo ${isRequest ? "request" : "reply"} id=${id} seq=${readU16(bytes, at + 6)}`;
}
