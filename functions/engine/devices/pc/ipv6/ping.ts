/** `ping` over IPv6. Its pause is the wait (`-w`), between packets only. */
import { PROTOCOL_TCP } from "../../../wire/ipv4.ts";
import { IPV6_HEADER_BYTES } from "../../../wire/ipv6.ts";
import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import { encodeTcp, type Tcp } from "../../../wire/tcp.ts";
import { tcpPing } from "../commands/ping-tcp.ts";
import type { Host, Received, ReceivedIpv6, Script } from "../host.ts";
import type { PingOptions } from "../ping-options.ts";
import { isError6, newMtuBytes } from "./errors.ts";
import { IPV6 } from "./family.ts";
import { resolveIpv6 } from "./neighbours.ts";
import { answerLine, type Ping6, sendProbe } from "./ping-line.ts";
import { makeProbe, type Probe } from "./probes.ts";
import { isOwnIpv6, sourceFor } from "./send.ts";

/** Of ICMPv6 and of UDP; of TCP with its timestamp. */
const PROBE_HEADER_BYTES = 8;
const SEGMENT_HEADER_BYTES = 32;
/** Whatever a link says, it carries this much (RFC 8200 section 5). */
const MTU_MIN_BYTES = 1280;
const RESENDS_MAX = 3;
const OWN_ANSWERS = 5;

/** Prints a blank line, then a line per packet; `endless` and `intervalMs` have no meaning here. */
export function* ping6(host: Host, target: bigint, typed: string, options: PingOptions): Script {
  const { world } = host;
  const mtuBytes = options.mtuBytes || host.state.ipv6.mtuBytes;
  if (packetBytes(options) > mtuBytes) return world.print(`Packet too big, the MTU is ${mtuBytes}\n`);
  world.print("\n");
  if (isOwnIpv6(host, target)) return world.print(ownAnswers(target));
  const targetMac = yield* resolveIpv6(host, target);
  if (targetMac === undefined) return world.print(`host (${formatIpv6(target)}) not reachable\n`);
  const ping = { host, source: sourceFor(host, target), target, targetMac, typed, options };
  if (options.protocol === "tcp" && options.flags === undefined) yield* pingByTcp(ping);
  else yield* pingWith(ping, makeProbe(ping));
}

function packetBytes({ protocol, dataBytes }: PingOptions): number {
  const headerBytes = protocol === "tcp" ? SEGMENT_HEADER_BYTES : PROBE_HEADER_BYTES;
  return IPV6_HEADER_BYTES + headerBytes + dataBytes;
}

const ownAnswers = (target: bigint): string =>
  Array.from(
    { length: OWN_ANSWERS },
    (_, i) => `${formatIpv6(target)} icmp_seq=${i + 1} ttl=64 time=0.001 ms\n`,
  ).join("");

function pingByTcp(ping: Ping6): Script {
  const { host, target, options } = ping;
  const send = (segment: Tcp): void => sendProbe(ping, PROTOCOL_TCP, encodeTcp(segment, 0));
  return tcpPing({ family: IPV6, host, target, options, attempts: options.count, pausesAtEnd: false, send });
}

function* pingWith(ping: Ping6, probe: Probe): Script {
  const { count, waitMs } = ping.options;
  let { dataBytes } = ping.options;
  for (let sequence = 1; sequence <= count; sequence++) {
    dataBytes = yield* pingOnce(ping, probe, sequence, dataBytes);
    if (sequence < count) yield { timeoutUs: waitMs * 1000 };
  }
}

/** One line, or more when a router finds the packet too big. @returns the size of the data from now on. */
function* pingOnce(ping: Ping6, probe: Probe, sequence: number, dataBytes: number): Script<number> {
  const { host, typed, options } = ping;
  const name = `${probe.name}_seq=${sequence}`;
  const accept = (packet: Received): boolean =>
    packet.kind === "ipv6" && (isError6(host, packet) || probe.isReply(packet, sequence));
  let sizeBytes = dataBytes;
  for (let resends = 0; ; resends++) {
    const sentUs = host.world.nowUs;
    sendProbe(ping, probe.nextHeader, probe.payload(sequence, sizeBytes));
    const packet = (yield { timeoutUs: options.waitMs * 1000, accept }) as ReceivedIpv6 | undefined;
    if (packet === undefined) {
      host.world.print(`${typed} ${name} timeout\n`);
      return sizeBytes;
    }
    host.world.print(answerLine(host, packet, name, host.world.nowUs - sentUs));
    const mtuBytes = isError6(host, packet) ? newMtuBytes(packet) : undefined;
    if (mtuBytes === undefined || resends === RESENDS_MAX) return sizeBytes;
    const roomBytes = Math.max(mtuBytes, MTU_MIN_BYTES) - IPV6_HEADER_BYTES - PROBE_HEADER_BYTES;
    sizeBytes = Math.min(sizeBytes, roomBytes);
  }
}
