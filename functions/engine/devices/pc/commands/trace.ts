/**
 * `trace HOST [-P PROTOCOL] [-m HOPS]`: three probes a hop, one after another, each for a second at most.
 *
 * It ends with the hop from which the target answered, or anybody said that it cannot be reached.
 */
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import type { Host, Received, ReceivedIpv4, Script } from "../host.ts";
import { trace6 } from "../ipv6/commands.ts";
import type { PingProtocol } from "../ping-options.ts";
import { findTarget, targetText } from "./find-target.ts";
import { helpPage } from "./help.ts";
import { HopLine } from "./hop-line.ts";
import type { Invocation } from "./invocation.ts";
import { makeTraceProbe, type TraceProbe } from "./trace-probes.ts";
import { parseTraceWords, type TraceOptions } from "./trace-words.ts";

const DEFAULT_HOPS = 8;
const DEFAULT_HOPS_IPV6 = 64;
const PROBES = 3;
const ANSWER_US = 1_000_000;
const PROTOCOL_NOTES: Readonly<Record<PingProtocol, string>> = { icmp: " (ICMP)", tcp: " (TCP)", udp: "" };

interface Trace {
  readonly host: Host;
  readonly target: number;
  readonly targetMac: number;
  readonly probe: TraceProbe;
  /** The id of the next packet. */
  ipId: number;
}

export function* trace({ host, words }: Invocation): Script {
  const print = (text: string): void => host.world.print(text);
  const [, typed, ...rest] = words;
  if (typed === undefined) return print(helpPage("tracer"));
  const options = parseTraceWords(rest);
  if ("error" in options)
    return options.error === undefined ? print(helpPage("tracer")) : print(`${options.error}\n`);
  const target = yield* findTarget(host, typed);
  if (target === undefined) return print(`Cannot resolve ${typed}\n`);
  if (target.canonical !== undefined) print(`${target.canonical} resolved to ${targetText(target)}\n`);
  if ("ipv6" in target) yield* trace6(host, target.ipv6, options.maxHops ?? DEFAULT_HOPS_IPV6);
  else yield* traceTarget(host, target.ipv4, options);
}

function* traceTarget(host: Host, target: number, options: TraceOptions): Script {
  const { world, state } = host;
  const { protocol, maxHops = DEFAULT_HOPS } = options;
  const address = formatIpv4(target);
  if (target === state.ipv4.address)
    return world.print(`traceroute to ${address}, ${maxHops} hops max\n 1 ${address}     0.001 ms\n`);
  const note = PROTOCOL_NOTES[protocol];
  world.print(`trace to ${address}, ${maxHops} hops max${note}, press Ctrl+C to stop\n`);
  const hop = host.nextHop(target);
  if (hop === undefined) return world.print("No gateway found\n");
  const targetMac = yield* host.resolve(hop);
  if (targetMac === undefined) return world.print(`host (${formatIpv4(hop)}) not reachable\n`);
  const probe = makeTraceProbe(host, target, protocol);
  const trace: Trace = { host, target, targetMac, probe, ipId: 0 };
  for (let ttl = 1; ttl <= maxHops; ttl++) if (yield* traceHop(trace, ttl)) return;
}

/** Prints the line of a hop, as far as it goes when the command is interrupted. @returns whether it was the last. */
function* traceHop(trace: Trace, ttl: number): Script<boolean> {
  const { world } = trace.host;
  const line = new HopLine(trace.host, trace.target, ttl);
  try {
    for (let probes = 0; probes < PROBES; probes++) {
      const sentUs = world.nowUs;
      const packet = yield* probeOnce(trace, ttl);
      line.add(packet, world.nowUs - sentUs);
    }
  } finally {
    world.print(`${line.text}\n`);
  }
  return line.isLast;
}

function* probeOnce(trace: Trace, ttl: number): Script<ReceivedIpv4 | undefined> {
  const { host, target, targetMac, probe } = trace;
  const id = trace.ipId++;
  const fields = { source: host.state.ipv4.address, target, protocol: probe.protocol, ttl, id };
  host.sendIpv4(targetMac, { ...fields, dontFragment: true }, probe.payload());
  const accept = (packet: Received): boolean => probe.isAnswer(packet, id);
  return (yield { timeoutUs: ANSWER_US, accept }) as ReceivedIpv4 | undefined;
}
