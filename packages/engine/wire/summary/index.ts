/**
 * Describes a packet in one line for people: protocol, source, target and content.
 *
 *     link layer -> (802.1Q tags) -> ARP, IPv4, IPv6, ... -> ICMP, ICMPv6, UDP, TCP -> DHCP, DNS
 *
 * It describes any bytes and never throws: data that the capture cut off are reported as truncated, data that are short or
 * wrong by themselves as malformed. It keeps no state between packets: no streams, no reassembly of fragments.
 *
 * Sources: the RFCs named in `wire/`; RFC 1661 (PPP), RFC 2427 (Frame Relay), RFC 2684 (ATM), IEEE 802.1Q and 802.1D.
 */
import type { DataLinkTypeName } from "../../pcap/index.ts";
import { decodeLink } from "./link-layer.ts";
import { Packet } from "./packet.ts";

export interface DecodedPacket {
  /** Bytes on the wire, and bytes captured. */
  readonly length: number;
  readonly captured_length: number;
  /** Addresses of the network layer if there is one, else MACs. */
  readonly source: string | null;
  readonly target: string | null;
  readonly source_mac: string | null;
  readonly target_mac: string | null;
  /** The outermost 802.1Q id. */
  readonly vlan: number | null;
  /** The highest protocol recognised. */
  readonly protocol: string;
  readonly source_port: number | null;
  readonly target_port: number | null;
  readonly info: string;
}

export function decodePacket(
  data: Uint8Array,
  originalLength: number,
  linkType: DataLinkTypeName,
): DecodedPacket {
  const packet = new Packet(data, originalLength > data.length);
  decodeLink(packet, linkType);
  const { source, target, sourceMac, targetMac, sourcePort, targetPort } = packet;
  return {
    length: originalLength,
    captured_length: data.length,
    source: source ?? sourceMac,
    target: target ?? targetMac,
    source_mac: sourceMac,
    target_mac: targetMac,
    vlan: packet.vlan,
    protocol: packet.protocol,
    source_port: sourcePort,
    target_port: targetPort,
    info: packet.isCut ? `${packet.info} [truncated]` : packet.info,
  };
}
