/** `trace HOST [-P PROTOCOL] [-m HOPS]`. */
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import type { Host, ReceivedIpv4, Script } from "../host.ts";
import { trace6 } from "../ipv6/commands.ts";
import { type Notes, notesOf, once, sub } from "../notes.ts";
import type { PingProtocol } from "../ping-options.ts";
import { findTarget, targetText, unresolvedText } from "./find-target.ts";
import { helpPage } from "./help.ts";
import type { Invocation } from "./invocation.ts";
import { IPV4 } from "./ipv4-family.ts";
import { type Trace, traceHops } from "./trace-hops.ts";
import { makeTraceProbe } from "./trace-probes.ts";
import { parseTraceWords, type TraceOptions } from "./trace-words.ts";

const DEFAULT_HOPS = 8;
const DEFAULT_HOPS_IPV6 = 64;
const PROTOCOL_NOTES: Readonly<Record<PingProtocol, string>> = { icmp: " (ICMP)", tcp: " (TCP)", udp: "" };

export function* trace({ host, words, notes }: Invocation): Script {
  const print = (text: string): void => host.world.print(text);
  const [, typed, ...rest] = words;
  if (typed === undefined) return print(helpPage("tracer"));
  const options = parseTraceWords(rest);
  if ("error" in options)
    return options.error === undefined ? print(helpPage("tracer")) : print(`${options.error}\n`);
  const target = yield* sub(notes, "target", (own) => findTarget(host, typed, own));
  if (target === undefined) return print(unresolvedText(typed));
  const { canonical } = target;
  if (canonical !== undefined)
    once(notes, "resolved", () => print(`${canonical} resolved to ${targetText(target)}\n`));
  const inner = notesOf(notes, "trace");
  if ("ipv6" in target) yield* trace6(host, target.ipv6, options.maxHops ?? DEFAULT_HOPS_IPV6, inner);
  else
    yield* traceTarget(
      host,
      target.ipv4,
      target.canonical === undefined ? typed : targetText(target),
      options,
      inner,
    );
}

/** @param shown the target's text in the header line. */
function* traceTarget(
  host: Host,
  target: number,
  shown: string,
  options: TraceOptions,
  notes: Notes,
): Script {
  const { world, state } = host;
  const { protocol, maxHops = DEFAULT_HOPS } = options;
  const address = formatIpv4(target);
  if (once(notes, "isOwn", () => target === state.ipv4.address))
    return world.print(`traceroute to ${shown}, ${maxHops} hops max\n 1 ${address}     0.001 ms\n`);
  const note = PROTOCOL_NOTES[protocol];
  const head = `trace to ${shown}, ${maxHops} hops max${note}, press Ctrl+C to stop\n`;
  once(notes, "headed", () => world.print(head));
  const hop = once(notes, "hop", () => host.nextHop(target));
  if (hop === undefined) return world.print("No gateway found\n");
  const targetMac = yield* sub(notes, "mac", (own) => host.resolve(hop, own));
  if (targetMac === undefined) return world.print(`host (${formatIpv4(hop)}) not reachable\n`);
  const inner = notesOf(notes, "hops");
  yield* traceHops(traceTo(host, target, targetMac, protocol, inner), maxHops, inner);
}

/** The ids of the packets count from 0. */
function traceTo(
  host: Host,
  target: number,
  targetMac: number,
  protocol: PingProtocol,
  notes: Notes,
): Trace<number, ReceivedIpv4> {
  const probe = makeTraceProbe(host, target, protocol, notes);
  const ids = once(notes, "ids", () => ({ last: -1 }));
  return {
    family: IPV4,
    host,
    target,
    gap: "   ",
    tellsOwnRefusal: true,
    send(ttl) {
      ids.last += 1;
      const fields = {
        source: host.state.ipv4.address,
        target,
        protocol: probe.protocol,
        ttl,
        id: ids.last,
      };
      host.sendIpv4(targetMac, { ...fields, dontFragment: true }, probe.payload());
    },
    isAnswer: (packet) => probe.isAnswer(packet, ids.last),
  };
}
