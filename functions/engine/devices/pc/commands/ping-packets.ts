/** What all kinds of `ping` share: the command's facts, its packets out, its lines. */
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";
import type { PingOptions } from "../ping-options.ts";
import { formatMs } from "./format-ms.ts";
import { icmpErrorText, isIcmpError } from "./icmp-error.ts";

/** One ping command, its target known. */
export interface Ping {
  readonly host: Host;
  readonly target: number;
  /** The target as it was typed. */
  readonly typed: string;
  readonly options: PingOptions;
  readonly targetMac: number;
  /** The id of the next packet. */
  ipId: number;
}

export function sendPacket(ping: Ping, protocol: number, payload: Uint8Array): void {
  const { host, target, targetMac, options } = ping;
  const { ttl, dontFragment, mtuBytes } = options;
  const source = host.state.ipv4.address;
  const fields = { source, target, protocol, ttl, dontFragment, id: ping.ipId++ & 0xffff };
  host.sendIpv4(targetMac, fields, payload, mtuBytes || host.state.mtuBytes);
}

/** A reply with its size, or an error, which begins with `*` and ends with its text. */
export function answerLine(host: Host, packet: ReceivedIpv4, name: string, elapsedUs: number): string {
  const address = formatIpv4(packet.header.source);
  const facts = `${name} ttl=${packet.header.ttl} time=${formatMs(elapsedUs)} ms`;
  if (isIcmpError(host, packet)) return `*${address} ${facts} ${icmpErrorText(packet)}\n`;
  return `${packet.totalBytes} bytes from ${address} ${facts}\n`;
}
