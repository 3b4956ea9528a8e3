/** Code that all kinds of IPv4 `ping` share: the command's parameters, sending, output lines. */
import { IPV4_HEADER_BYTES } from "../../../wire/ipv4.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";
import type { PingOptions } from "../ping-options.ts";
import { formatMs } from "./format-ms.ts";
import { icmpErrorText, isIcmpError } from "./icmp-error.ts";

/** One ping command with a resolved target. */
export interface Ping {
  readonly host: Host;
  readonly target: number;
  /** The target as typed. */
  readonly typed: string;
  readonly options: PingOptions;
  readonly targetMac: number;
  /** The id of the next packet. */
  readonly ids: { next: number };
}

export function sendPacket(ping: Ping, protocol: number, payload: Uint8Array): void {
  const { host, target, targetMac, options } = ping;
  const { ttl, dontFragment, mtuBytes } = options;
  const source = host.state.ipv4.address;
  const fields = { source, target, protocol, ttl, dontFragment, id: ping.ids.next++ & 0xffff };
  host.sendIpv4(targetMac, fields, payload, host.mtuTo(target, mtuBytes || undefined));
}

/**
 * Returns why a packet is not sent: `-D` is set and the packet exceeds the path MTU. Returns undefined for a packet that is
 * sent. A packet over the link's MTU is fragmented despite `-D`, as in VPCS (docs/interface.md, section 9.6).
 */
export function refusalOf({ host, target, options }: Ping, payloadBytes: number): string | undefined {
  const linkBytes = options.mtuBytes || host.state.mtuBytes;
  const packetBytes = IPV4_HEADER_BYTES + payloadBytes;
  const pathBytes = host.mtuTo(target, linkBytes);
  const isRefused = options.dontFragment && packetBytes <= linkBytes && packetBytes > pathBytes;
  return isRefused ? notSent(pathBytes) : undefined;
}

export const notSent = (mtuBytes: number): string =>
  `not sent: -D forbids fragments, the path MTU is ${mtuBytes}`;

/** Formats a reply with its size, or an error, which begins with `*` and ends with its text. */
export function answerLine(host: Host, packet: ReceivedIpv4, name: string, elapsedUs: number): string {
  const address = formatIpv4(packet.header.source);
  const facts = `${name} ttl=${packet.header.ttl} time=${formatMs(elapsedUs)} ms`;
  if (isIcmpError(host, packet)) return `*${address} ${facts} ${icmpErrorText(packet)}\n`;
  return `${packet.totalBytes} bytes from ${address} ${facts}\n`;
}
