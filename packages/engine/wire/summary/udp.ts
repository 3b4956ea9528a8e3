/** UDP (RFC 768), and its payload by port. */
import { readU16 } from "../../base/bytes.ts";
import { DHCP_CLIENT_PORT, DHCP_SERVER_PORT } from "../dhcp.ts";
import { DHCPV6_CLIENT_PORT, DHCPV6_SERVER_PORT } from "../dhcpv6.ts";
import { DNS_PORT } from "../dns.ts";
import { RIP_PORT } from "../rip.ts";
import { UDP_HEADER_BYTES } from "../udp.ts";
import { VXLAN_PORT } from "../vxlan.ts";
import { describeDhcp } from "./dhcp.ts";
import { describeDhcpv6 } from "./dhcpv6.ts";
import { describeDns } from "./dns.ts";
import { bytesText, type IpPayload, type Packet } from "./packet.ts";
import { describeRip } from "./rip.ts";
import { describeVxlan } from "./vxlan.ts";

const MULTICAST_DNS_PORT = 5353;

/** Describes a payload; returns undefined if it is not of that protocol. */
type Describe = (data: Uint8Array) => string | undefined;

const SERVICES: Readonly<Record<number, readonly [name: string, describe: Describe]>> = {
  [DNS_PORT]: ["DNS", describeDns],
  [MULTICAST_DNS_PORT]: ["MDNS", describeDns],
  [DHCP_SERVER_PORT]: ["DHCP", describeDhcp],
  [DHCP_CLIENT_PORT]: ["DHCP", describeDhcp],
  [RIP_PORT]: ["RIP", describeRip],
  [DHCPV6_SERVER_PORT]: ["DHCPv6", describeDhcpv6],
  [VXLAN_PORT]: ["VXLAN", describeVxlan],
  [DHCPV6_CLIENT_PORT]: ["DHCPv6", describeDhcpv6],
};

export function decodeUdp(packet: Packet, { at, payloadBytes }: IpPayload): void {
  const { bytes } = packet;
  packet.protocol = "UDP";
  if (!packet.has(at, 4, "UDP ports")) return;
  const sourcePort = readU16(bytes, at);
  const targetPort = readU16(bytes, at + 2);
  packet.sourcePort = sourcePort;
  packet.targetPort = targetPort;
  if (!packet.has(at, UDP_HEADER_BYTES, "UDP header")) return;
  const length = readU16(bytes, at + 4);
  if (length < UDP_HEADER_BYTES || length > payloadBytes) {
    packet.malformed(`UDP length ${length} in ${bytesText(payloadBytes)}`);
    return;
  }
  packet.info = `${sourcePort} -> ${targetPort} len=${length - UDP_HEADER_BYTES}`;
  const [name, describe] = SERVICES[targetPort] ?? SERVICES[sourcePort] ?? [];
  const text = describe?.(bytes.subarray(at + UDP_HEADER_BYTES, Math.min(packet.end, at + length)));
  if (name !== undefined && text !== undefined) packet.describe(name, text);
}
