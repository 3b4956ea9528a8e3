/**
 * `ping HOST [OPTION ...]`: parses the options, resolves the name, prints a blank line, handles the own address, finds the
 * route, resolves the MAC, sends the packets, in that order.
 *
 * Each result is followed by a pause, also the last one. A reply that arrives during the pause is lost.
 */
import { PROTOCOL_TCP } from "../../../wire/ipv4.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { encodeTcp4, type Tcp } from "../../../wire/tcp.ts";
import type { Host, Received, ReceivedIpv4, Script } from "../host.ts";
import { ping6 } from "../ipv6/commands.ts";
import { type Notes, nextTurn, notesOf, once, pause, sub, turnsOf } from "../notes.ts";
import type { PingOptions } from "../ping-options.ts";
import { findTarget, type Target, targetText, unresolvedText } from "./find-target.ts";
import { helpPage } from "./help.ts";
import { isIcmpError, redirectGateway } from "./icmp-error.ts";
import type { Invocation } from "./invocation.ts";
import { IPV4 } from "./ipv4-family.ts";
import { answerLine, type Ping, refusalOf, sendPacket } from "./ping-packets.ts";
import { makeProbe, type Probe } from "./ping-probes.ts";
import { dataSegmentBytes, tcpPing } from "./ping-tcp.ts";
import { parsePingWords } from "./ping-words.ts";

/** The own address answers at once. After this many lines the command pauses, so that virtual time advances. */
const UNPAUSED_MAX = 100;
/** Bounds the loop of two gateways that redirect to each other. */
const REDIRECTS_MAX = 8;

export function* ping({ host, words, notes }: Invocation): Script {
  const [, typed, ...rest] = words;
  if (typed === undefined) return host.world.print(helpPage("ping"));
  const options = parsePingWords(rest);
  if (options === undefined) return host.world.print("Invalid options\n");
  const target = yield* sub(notes, "target", (own) => findTarget(host, typed, own));
  if (target === undefined) return host.world.print(unresolvedText(typed));
  once(notes, "resolved", () => host.world.print(resolvedLine(typed, target)));
  const inner = notesOf(notes, "ping");
  if ("ipv6" in target) return yield* ping6(host, target.ipv6, typed, options, inner);
  once(notes, "begun", () => host.world.print("\n"));
  const isOwn = once(notes, "isOwn", () => target.ipv4 === host.state.ipv4.address);
  if (isOwn) yield* pingSelf(host, options, inner);
  else yield* pingTarget(host, target.ipv4, typed, options, inner);
}

function resolvedLine(typed: string, target: Target): string {
  const { canonical } = target;
  if (canonical === undefined) return "";
  const address = targetText(target);
  return `${typed} resolved to ${canonical === typed ? address : `${canonical}(${address})`}\n`;
}

const isMore = ({ endless, count }: PingOptions, sequence: number): boolean => endless || sequence <= count;

function* pingSelf({ state, world }: Host, options: PingOptions, notes: Notes): Script {
  const address = once(notes, "address", () => formatIpv4(state.ipv4.address));
  for (const turns = turnsOf(notes, "packets", 1); isMore(options, turns.number); nextTurn(turns)) {
    const { number: sequence, notes: turn } = turns;
    const line = `${address} icmp_seq=${sequence} ttl=${options.ttl} time=0.001 ms\n`;
    once(turn, "line", () => world.print(line));
    if (sequence >= UNPAUSED_MAX) yield* pause(turn, "pause", { timeoutUs: options.intervalMs * 1000 });
  }
}

/** Restarts with the new gateway after each redirect. */
function* pingTarget(host: Host, target: number, typed: string, options: PingOptions, notes: Notes): Script {
  const way = once(notes, "way", () => ({ hop: host.nextHop(target) }));
  for (const redirects = turnsOf(notes, "redirects"); ; nextTurn(redirects)) {
    const { number, notes: turn } = redirects;
    const { hop } = way;
    if (hop === undefined) return host.world.print("No gateway found\n");
    const targetMac = yield* sub(turn, "mac", (own) => host.resolve(hop, own));
    if (targetMac === undefined) return host.world.print(`host (${formatIpv4(hop)}) not reachable\n`);
    const ids = once(turn, "ids", () => ({ next: host.clockSeconds }));
    const ping: Ping = { host, target, typed, options, targetMac, ids };
    const inner = notesOf(turn, "ping");
    if (options.protocol === "tcp" && options.flags === undefined) return yield* pingByTcp(ping, inner);
    const gateway = yield* pingWith(ping, makeProbe(ping, inner), number < REDIRECTS_MAX, inner);
    if (gateway === undefined) return;
    host.world.print(`Redirect Network, gateway ${formatIpv4(hop)} -> ${formatIpv4(gateway)}\n`);
    way.hop = gateway;
  }
}

function pingByTcp(ping: Ping, notes: Notes): Script {
  const { host, target, options } = ping;
  const attempts = options.endless ? Number.POSITIVE_INFINITY : options.count;
  const send = (segment: Tcp): void =>
    sendPacket(ping, PROTOCOL_TCP, encodeTcp4(host.state.ipv4.address, target, segment));
  const refusal = (): string | undefined => refusalOf(ping, dataSegmentBytes(host, options));
  return tcpPing({ family: IPV4, host, target, options, attempts, pausesAtEnd: true, send, refusal }, notes);
}

/** @returns the new gateway after a redirect; undefined when all packets are sent. */
function* pingWith(ping: Ping, probe: Probe, mayRedirect: boolean, notes: Notes): Script<number | undefined> {
  const { host, options, typed } = ping;
  for (const turns = turnsOf(notes, "packets", 1); isMore(options, turns.number); nextTurn(turns)) {
    const { number: sequence, notes: turn } = turns;
    const name = `${probe.name}_seq=${sequence}`;
    const accept = (packet: Received): boolean =>
      packet.kind === "ipv4" && ends(ping, packet, mayRedirect, probe, sequence);
    const sentUs = once(turn, "sent", () => send(ping, probe, sequence, name));
    if (sentUs !== undefined) {
      const wait = { timeoutUs: options.waitMs * 1000, accept };
      const packet = (yield* pause(turn, "answer", wait)) as ReceivedIpv4 | undefined;
      const gateway = once(turn, "gateway", () => packet && newGateway(ping, packet));
      if (gateway !== undefined) return gateway;
      once(turn, "shown", () => {
        const elapsedUs = host.world.nowUs - sentUs;
        host.world.print(packet ? answerLine(host, packet, name, elapsedUs) : `${typed} ${name} timeout\n`);
      });
    }
    yield* pause(turn, "pause", { timeoutUs: options.intervalMs * 1000 });
  }
  return undefined;
}

/** @returns when the packet was sent; undefined if it was refused. */
function send(ping: Ping, probe: Probe, sequence: number, name: string): number | undefined {
  const { world } = ping.host;
  const payload = probe.payload(sequence);
  const refusal = refusalOf(ping, payload.length);
  if (refusal === undefined) sendPacket(ping, probe.protocol, payload);
  else world.print(`${ping.typed} ${name} ${refusal}\n`);
  return refusal === undefined ? world.nowUs : undefined;
}

/** Whether a packet ends the wait: an ICMP error, a redirect, or a reply to this PC. */
function ends(
  ping: Ping,
  packet: ReceivedIpv4,
  mayRedirect: boolean,
  probe: Probe,
  sequence: number,
): boolean {
  const { host } = ping;
  if (packet.header.target === host.state.ipv4.address && probe.isReply(packet, sequence)) return true;
  return isIcmpError(host, packet) || (mayRedirect && newGateway(ping, packet) !== undefined);
}

/** Only a neighbour can be a gateway (RFC 1122, section 3.2.2.2). */
function newGateway({ host }: Ping, packet: ReceivedIpv4): number | undefined {
  const gateway = redirectGateway(host, packet);
  const isNeighbour = gateway !== undefined && gateway !== 0 && host.nextHop(gateway) === gateway;
  return isNeighbour && gateway !== host.state.ipv4.address ? gateway : undefined;
}
