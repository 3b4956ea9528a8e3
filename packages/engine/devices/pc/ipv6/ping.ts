/** `ping` over IPv6. The pause equals the wait (`-w`) and separates packets only. */
import { PROTOCOL_TCP } from "../../../wire/ipv4.ts";
import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import { encodeTcp, type Tcp } from "../../../wire/tcp.ts";
import { dataSegmentBytes, tcpPing } from "../commands/ping-tcp.ts";
import type { Host, Received, ReceivedIpv6, Script } from "../host.ts";
import type { PingOptions } from "../ping-options.ts";
import { isError6 } from "./errors.ts";
import { IPV6 } from "./family.ts";
import { resolveIpv6 } from "./neighbours.ts";
import { answerLine, type Ping6, refusalOf6, sendProbe } from "./ping-line.ts";
import { makeProbe, type Probe } from "./probes.ts";
import { isOwnIpv6, sourceFor } from "./send.ts";

const RESENDS_MAX = 3;
const OWN_ANSWERS = 5;

/** Prints a blank line, then a line per packet. Ignores `endless` and `intervalMs`. */
export function* ping6(host: Host, target: bigint, typed: string, options: PingOptions): Script {
  const { world } = host;
  world.print("\n");
  if (isOwnIpv6(host, target)) return world.print(ownAnswers(target, options.ttl));
  const targetMac = yield* resolveIpv6(host, target);
  if (targetMac === undefined) return world.print(`host (${formatIpv6(target)}) not reachable\n`);
  const ping = { host, source: sourceFor(host, target), target, targetMac, typed, options };
  if (options.protocol === "tcp" && options.flags === undefined) yield* pingByTcp(ping);
  else yield* pingWith(ping, makeProbe(ping));
}

const ownAnswers = (target: bigint, hopLimit: number): string =>
  Array.from(
    { length: OWN_ANSWERS },
    (_, i) => `${formatIpv6(target)} icmp_seq=${i + 1} ttl=${hopLimit} time=0.001 ms\n`,
  ).join("");

function pingByTcp(ping: Ping6): Script {
  const { host, target, options } = ping;
  const send = (segment: Tcp): void => sendProbe(ping, PROTOCOL_TCP, encodeTcp(segment, 0));
  const refusal = (): string | undefined => refusalOf6(ping, dataSegmentBytes(host, options));
  const attempts = options.count;
  return tcpPing({ family: IPV6, host, target, options, attempts, pausesAtEnd: false, send, refusal });
}

function* pingWith(ping: Ping6, probe: Probe): Script {
  const { count, waitMs } = ping.options;
  for (let sequence = 1; sequence <= count; sequence++) {
    yield* pingOnce(ping, probe, sequence);
    if (sequence < count) yield { timeoutUs: waitMs * 1000 };
  }
}

/** Prints one line, or more while errors lower the path MTU: it then sends the packet again, in fragments that fit. */
function* pingOnce(ping: Ping6, probe: Probe, sequence: number): Script {
  const { host, target, typed, options } = ping;
  const name = `${probe.name}_seq=${sequence}`;
  const accept = (packet: Received): boolean =>
    packet.kind === "ipv6" && (isError6(host, packet) || probe.isReply(packet, sequence));
  for (let resends = 0; resends <= RESENDS_MAX; resends++) {
    const payload = probe.payload(sequence, options.dataBytes);
    const refusal = refusalOf6(ping, payload.length);
    if (refusal !== undefined) return host.world.print(`${typed} ${name} ${refusal}\n`);
    const sentUs = host.world.nowUs;
    const mtuBytes = host.mtuTo(target);
    sendProbe(ping, probe.nextHeader, payload);
    const packet = (yield { timeoutUs: options.waitMs * 1000, accept }) as ReceivedIpv6 | undefined;
    if (packet === undefined) return host.world.print(`${typed} ${name} timeout\n`);
    host.world.print(answerLine(host, packet, name, host.world.nowUs - sentUs));
    if (host.mtuTo(target) >= mtuBytes) return;
  }
}
