/** Decodes the payload of IPv4 and IPv6 by its IANA protocol number. */
import { PROTOCOL_ICMP, PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "../ipv4.ts";
import { PROTOCOL_VRRP } from "../vrrp.ts";
import { decodeIcmp } from "./icmp.ts";
import { decodeIcmpv6 } from "./icmpv6.ts";
import { bytesText, type IpPayload, type Packet } from "./packet.ts";
import { decodeTcp } from "./tcp.ts";
import { decodeUdp } from "./udp.ts";
import { decodeVrrp } from "./vrrp.ts";

const NAMES: Readonly<Record<number, string>> = {
  [PROTOCOL_ICMP]: "ICMP",
  2: "IGMP",
  4: "IPv4 in IP",
  [PROTOCOL_TCP]: "TCP",
  8: "EGP",
  [PROTOCOL_UDP]: "UDP",
  41: "IPv6 in IP",
  46: "RSVP",
  47: "GRE",
  50: "ESP",
  51: "AH",
  [PROTOCOL_ICMPV6]: "ICMPv6",
  88: "EIGRP",
  89: "OSPF",
  103: "PIM",
  [PROTOCOL_VRRP]: "VRRP",
  115: "L2TP",
  132: "SCTP",
};

const DECODERS: Readonly<Record<number, (packet: Packet, payload: IpPayload) => void>> = {
  [PROTOCOL_ICMP]: decodeIcmp,
  [PROTOCOL_TCP]: decodeTcp,
  [PROTOCOL_UDP]: decodeUdp,
  [PROTOCOL_ICMPV6]: decodeIcmpv6,
  [PROTOCOL_VRRP]: decodeVrrp,
};

export const protocolName = (protocol: number): string => NAMES[protocol] ?? `protocol ${protocol}`;

export function decodePayload(packet: Packet, payload: IpPayload): void {
  const { protocol, payloadBytes, ttl } = payload;
  const decode = DECODERS[protocol];
  const name = NAMES[protocol];
  const size = `${bytesText(Math.max(0, payloadBytes))} ttl=${ttl}`;
  if (decode !== undefined) decode(packet, payload);
  else if (name !== undefined) packet.describe(name, size);
  else packet.info = `protocol ${protocol}, ${size}`;
}
