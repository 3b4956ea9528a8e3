/** Code that all kinds of IPv6 `ping` share: the command's parameters, sending, output lines. */
import { IPV6_HEADER_BYTES } from "../../../wire/ipv6.ts";
import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import { formatMs } from "../commands/format-ms.ts";
import { notSent } from "../commands/ping-packets.ts";
import type { Host, ReceivedIpv6 } from "../host.ts";
import type { PingOptions } from "../ping-options.ts";
import { errorText6, isError6 } from "./errors.ts";

/** One ping command with a resolved target. */
export interface Ping6 {
  readonly host: Host;
  readonly source: bigint;
  readonly target: bigint;
  readonly targetMac: number;
  /** The target as typed. */
  readonly typed: string;
  readonly options: PingOptions;
}

export function sendProbe(ping: Ping6, nextHeader: number, payload: Uint8Array): void {
  const { host, source, target, targetMac, options } = ping;
  const mtuBytes = host.mtuTo(target, options.mtuBytes || undefined);
  host.sendIpv6(targetMac, { source, target, nextHeader, hopLimit: options.ttl }, payload, mtuBytes);
}

/** Returns why a packet is not sent: `-D` is set and the packet exceeds the path MTU. Undefined for a packet that is sent. */
export function refusalOf6({ host, target, options }: Ping6, payloadBytes: number): string | undefined {
  const mtuBytes = host.mtuTo(target, options.mtuBytes || undefined);
  const isTooBig = IPV6_HEADER_BYTES + payloadBytes > mtuBytes;
  return options.dontFragment && isTooBig ? notSent(mtuBytes) : undefined;
}

/** Formats a reply, or an error, which begins with `*` and ends with its text. */
export function answerLine(host: Host, packet: ReceivedIpv6, name: string, elapsedUs: number): string {
  const { source, hopLimit } = packet.header;
  const line = `${formatIpv6(source)} ${name} ttl=${hopLimit} time=${formatMs(elapsedUs)} ms`;
  return isError6(host, packet) ? `*${line} ${errorText6(packet)}\n` : `${line}\n`;
}
