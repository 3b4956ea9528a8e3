/** `ping` over IPv6. The pause equals the wait (`-w`) and separates packets only. */
import { PROTOCOL_TCP } from "../../../wire/ipv4.ts";
import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import { encodeTcp, type Tcp } from "../../../wire/tcp.ts";
import { dataSegmentBytes, tcpPing } from "../commands/ping-tcp.ts";
import type { Host, Received, ReceivedIpv6, Script } from "../host.ts";
import { type Notes, nextTurn, notesOf, once, pause, sub, turnsOf } from "../notes.ts";
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
export function* ping6(
  host: Host,
  target: bigint,
  typed: string,
  options: PingOptions,
  notes: Notes,
): Script {
  const { world } = host;
  once(notes, "begun", () => world.print("\n"));
  if (once(notes, "isOwn", () => isOwnIpv6(host, target)))
    return world.print(ownAnswers(target, options.ttl));
  const targetMac = yield* sub(notes, "mac", (own) => resolveIpv6(host, target, own));
  if (targetMac === undefined) return world.print(`host (${formatIpv6(target)}) not reachable\n`);
  const source = once(notes, "source", () => sourceFor(host, target));
  const ping = { host, source, target, targetMac, typed, options };
  if (options.protocol === "tcp" && options.flags === undefined)
    yield* pingByTcp(ping, notesOf(notes, "tcp"));
  else yield* pingWith(ping, makeProbe(ping, notes), notes);
}

const ownAnswers = (target: bigint, hopLimit: number): string =>
  Array.from(
    { length: OWN_ANSWERS },
    (_, i) => `${formatIpv6(target)} icmp_seq=${i + 1} ttl=${hopLimit} time=0.001 ms\n`,
  ).join("");

function pingByTcp(ping: Ping6, notes: Notes): Script {
  const { host, target, options } = ping;
  const send = (segment: Tcp): void => sendProbe(ping, PROTOCOL_TCP, encodeTcp(segment, 0));
  const refusal = (): string | undefined => refusalOf6(ping, dataSegmentBytes(host, options));
  const attempts = options.count;
  return tcpPing({ family: IPV6, host, target, options, attempts, pausesAtEnd: false, send, refusal }, notes);
}

function* pingWith(ping: Ping6, probe: Probe, notes: Notes): Script {
  const { count, waitMs } = ping.options;
  for (const turns = turnsOf(notes, "packets", 1); turns.number <= count; nextTurn(turns)) {
    const { number: sequence, notes: turn } = turns;
    yield* sub(turn, "packet", (own) => pingOnce(ping, probe, sequence, own));
    if (sequence < count) yield* pause(turn, "pause", { timeoutUs: waitMs * 1000 });
  }
}

/** Prints one line, or more while errors lower the path MTU: it then sends the packet again, in fragments that fit. */
function* pingOnce(ping: Ping6, probe: Probe, sequence: number, notes: Notes): Script {
  const { host, target, typed, options } = ping;
  const name = `${probe.name}_seq=${sequence}`;
  const accept = (packet: Received): boolean =>
    packet.kind === "ipv6" && (isError6(host, packet) || probe.isReply(packet, sequence));
  const send = () => {
    const payload = probe.payload(sequence, options.dataBytes);
    const refusal = refusalOf6(ping, payload.length);
    if (refusal !== undefined) return { refusal };
    const sent = { sentUs: host.world.nowUs, mtuBytes: host.mtuTo(target) };
    sendProbe(ping, probe.nextHeader, payload);
    return sent;
  };
  for (const sends = turnsOf(notes, "sends"); sends.number <= RESENDS_MAX; nextTurn(sends)) {
    const sent = once(sends.notes, "sent", send);
    if ("refusal" in sent) return host.world.print(`${typed} ${name} ${sent.refusal}\n`);
    const { sentUs, mtuBytes } = sent;
    const timeoutUs = options.waitMs * 1000;
    const packet = (yield* pause(sends.notes, "answer", { timeoutUs, accept })) as ReceivedIpv6 | undefined;
    if (packet === undefined) return host.world.print(`${typed} ${name} timeout\n`);
    host.world.print(answerLine(host, packet, name, host.world.nowUs - sentUs));
    if (host.mtuTo(target) >= mtuBytes) return;
  }
}
