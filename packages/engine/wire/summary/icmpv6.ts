/** ICMPv6 (RFC 4443), neighbour discovery (RFC 4861), multicast listeners (RFC 2710, RFC 3810). */
import { readU16, readU32 } from "../../base/bytes.ts";
import {
  findOption,
  ICMPV6_ECHO,
  ICMPV6_ECHO_REPLY,
  ICMPV6_TIME_EXCEEDED,
  ICMPV6_TOO_BIG,
  ICMPV6_UNREACHABLE,
  NEIGHBOUR_ADVERTISEMENT,
  NEIGHBOUR_SOLICITATION,
  OPTION_PREFIX,
  OPTION_SOURCE_LINK_ADDRESS,
  OPTION_TARGET_LINK_ADDRESS,
  ROUTER_ADVERTISEMENT,
  ROUTER_SOLICITATION,
} from "../icmpv6.ts";
import { formatIpv6, readIpv6 } from "../ipv6-address.ts";
import { formatMac, readMac } from "../mac.ts";
import { echoText } from "./icmp.ts";
import type { IpPayload, Packet } from "./packet.ts";

const HEADER_BYTES = 8;
const NEIGHBOUR_BYTES = 24;
const ROUTER_ADVERTISEMENT_BYTES = 16;
const REDIRECT = 137;

const UNREACHABLE_REASONS: readonly string[] = [
  "No route to destination",
  "Communication administratively prohibited",
  "Beyond the scope of the source address",
  "Address unreachable",
  "Port unreachable",
  "Source address refused by policy",
  "Route to destination refused",
];

const OTHERS: Readonly<Record<number, string>> = {
  4: "Parameter problem",
  130: "Multicast listener query",
  131: "Multicast listener report",
  132: "Multicast listener done",
  143: "Multicast listener report (version 2)",
};

export function decodeIcmpv6(packet: Packet, { at, ttl }: IpPayload): void {
  packet.protocol = "ICMPv6";
  if (!packet.has(at, HEADER_BYTES, "ICMPv6 header")) return;
  const text = describe(packet, at);
  if (text !== undefined) packet.info = `${text} ttl=${ttl}`;
}

/** Returns undefined if the packet's text already reports the fault. */
function describe(packet: Packet, at: number): string | undefined {
  const { bytes } = packet;
  const type = bytes[at] as number;
  const code = bytes[at + 1] as number;
  switch (type) {
    case ICMPV6_ECHO:
    case ICMPV6_ECHO_REPLY:
      return echoText(type === ICMPV6_ECHO, bytes, at);
    case ICMPV6_UNREACHABLE:
      return UNREACHABLE_REASONS[code] ?? `Destination unreachable, code ${code}`;
    case ICMPV6_TOO_BIG:
      return `Packet too big, MTU ${readU32(bytes, at + 4)}`;
    case ICMPV6_TIME_EXCEEDED:
      return code === 0 ? "Hop limit exceeded in transit" : "Fragment reassembly time exceeded";
    case NEIGHBOUR_SOLICITATION:
    case NEIGHBOUR_ADVERTISEMENT:
      return neighbourText(packet, at, type);
    case ROUTER_SOLICITATION:
      return `Router solicitation${fromText(packet, at + HEADER_BYTES, OPTION_SOURCE_LINK_ADDRESS)}`;
    case ROUTER_ADVERTISEMENT:
      return routerText(packet, at);
    case REDIRECT:
      if (!packet.has(at, NEIGHBOUR_BYTES, "ICMPv6 redirect")) return undefined;
      return `Redirect to ${formatIpv6(readIpv6(bytes, at + 8))}`;
    default:
      return OTHERS[type] ?? `type ${type}, code ${code}`;
  }
}

function neighbourText(packet: Packet, at: number, type: number): string | undefined {
  if (!packet.has(at, NEIGHBOUR_BYTES, "neighbour discovery")) return undefined;
  const target = formatIpv6(readIpv6(packet.bytes, at + 8));
  const options = at + NEIGHBOUR_BYTES;
  if (type === NEIGHBOUR_ADVERTISEMENT) {
    const mac = linkAddress(packet, options, OPTION_TARGET_LINK_ADDRESS);
    return mac === undefined ? `${target} is here` : `${target} is at ${mac}`;
  }
  if (packet.source === "::") return `Who has ${target}? (probe)`;
  return `Who has ${target}? Tell ${packet.source}`;
}

function routerText(packet: Packet, at: number): string | undefined {
  if (!packet.has(at, ROUTER_ADVERTISEMENT_BYTES, "router advertisement")) return undefined;
  const { bytes } = packet;
  const options = at + ROUTER_ADVERTISEMENT_BYTES;
  const prefix = findOption(bytes.subarray(0, packet.end), options, OPTION_PREFIX);
  const shown =
    prefix && prefix.length >= 32 ? ` prefix=${formatIpv6(readIpv6(prefix, 16))}/${prefix[2]}` : "";
  const from = fromText(packet, options, OPTION_SOURCE_LINK_ADDRESS);
  return `Router advertisement${from}${shown} lifetime=${readU16(bytes, at + 6)}`;
}

function fromText(packet: Packet, optionsAt: number, type: number): string {
  const mac = linkAddress(packet, optionsAt, type);
  return mac === undefined ? "" : ` from ${mac}`;
}

function linkAddress({ bytes, end }: Packet, optionsAt: number, type: number): string | undefined {
  const option = findOption(bytes.subarray(0, end), optionsAt, type);
  return option && option.length >= 8 ? formatMac(readMac(option, 2)) : undefined;
}
