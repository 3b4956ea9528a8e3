/** One packet's way through a lab, hop by hop, and the answer's way back. */
import { readU32 } from "@wirelab/engine/base/bytes";
import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import { kindOf } from "@wirelab/engine/devices/find-kind";
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from "@wirelab/engine/wire/ethernet";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import type { Probe } from "../model/expectation.ts";
import type { LabModel } from "../model/lab-model.ts";
import { followPacket } from "../play/follow.ts";
import { FrameLog, type LoggedFrame } from "../play/frame-log.ts";
import { isCarriedOn } from "../play/packet-identity.ts";
import { type Payload, payloadOf } from "../play/payload.ts";
import { type Played, play } from "../play/play.ts";
import { ping } from "../play/probe.ts";
import { isAnswerTo, isFor, lookupName } from "../play/probe-packet.ts";
import { type Layer, layersOf } from "../play/tunnels.ts";
import { dropWords, summarize } from "../report/show-packet.ts";

/** What one node or link did to the packet. */
export interface TraceStep {
  /** Lab seconds on the timeline. */
  readonly at: number;
  /** A node's name, or a link's. */
  readonly where: string;
  /** The word of the node's type, or `link`. */
  readonly what: string;
  /** In words: `forwards it: TTL 64 to 63, new MACs`. */
  readonly did: string;
}

export interface Trace {
  readonly packet: string;
  readonly request: readonly TraceStep[];
  readonly answer: readonly TraceStep[];
  readonly isAnswered: boolean;
  /** The ping's own output. */
  readonly transcript: string;
  /** Why no packet was sent. */
  readonly obstacle: string | undefined;
}

export interface TraceOptions {
  readonly seed?: string | undefined;
  /** Undefined at the end of the timeline. */
  readonly atNs?: number | undefined;
}

export function traceProbe(model: LabModel, probe: Probe, { seed, atNs }: TraceOptions = {}): Trace {
  const played = play(model, {
    ...(seed !== undefined && { seed }),
    probed: [atNs],
  });
  const log = new FrameLog();
  const { transcript, replies, obstacle, target } = ping(played, probe, { atNs, tries: 1, observer: log });
  const isAnswered = replies.length > 0;
  const none = { packet: "", request: [], answer: [], isAnswered, transcript };
  const own = log.frames.filter(({ from }) => from === probe.from);
  const sent =
    own.find(({ frame }) => isFor(target, frame)) ?? own.find(({ frame }) => lookupName(frame) !== undefined);
  if (sent === undefined) return { ...none, obstacle: obstacle ?? lastLine(transcript) };
  const way = followPacket(log, sent, probe.to);
  const arrivedNs = way.at(-1)?.to === probe.to ? way.at(-1)!.arrivedNs : undefined;
  const answer = log.frames.find(
    (each) =>
      arrivedNs !== undefined &&
      each.from === probe.to &&
      each.enteredNs >= arrivedNs &&
      isAnswerTo(way.at(-1)!.frame, each.frame),
  );
  const steps = new Steps(played, log);
  return {
    packet: summarize(sent.frame),
    request: steps.of(way, isAnswered || answer !== undefined),
    answer: answer === undefined ? [] : steps.of(followPacket(log, answer, probe.from), isAnswered),
    isAnswered,
    transcript,
    obstacle: undefined,
  };
}

const lastLine = (transcript: string): string =>
  transcript
    .split("\n")
    .filter((line) => line.trim() !== "" && !/[>#]\s*$/.test(line))
    .at(-1) ?? "nothing was sent";

class Steps {
  readonly #types: ReadonlyMap<string, string>;
  readonly #ports: ReadonlyMap<string, readonly string[]>;
  readonly #log: FrameLog;

  constructor({ model }: Played, log: FrameLog) {
    this.#types = new Map(model.nodes.map(({ name, spec }) => [name, spec.type]));
    this.#ports = new Map(model.nodes.map(({ name, ports }) => [name, ports]));
    this.#log = log;
  }

  /** @param isTaken whether the last node took the packet. */
  of(way: readonly LoggedFrame[], isTaken: boolean): TraceStep[] {
    return way.flatMap((hop, index) => [
      this.#node(
        hop.from,
        hop.enteredNs,
        index === 0 ? "sends it" : this.#forwarding(way[index - 1]!, hop),
        hop.fromPort,
      ),
      this.#link(hop),
      ...(index === way.length - 1 && hop.arrivedNs !== undefined ? [this.#end(hop, isTaken)] : []),
    ]);
  }

  #node(name: string, atNs: number, did: string, port?: number): TraceStep {
    const out = port === undefined ? "" : ` at ${this.#ports.get(name)?.[port] ?? port}`;
    return {
      at: atNs / NS_PER_SECOND,
      where: name,
      what: kindOf(this.#types.get(name) ?? "")?.word ?? "node",
      did: `${did}${out}`,
    };
  }

  #link(hop: LoggedFrame): TraceStep {
    const { link, enteredNs, droppedBy, arrivedNs, frame, passed } = hop;
    const changed = passed === frame ? "" : "corrupts it, ";
    const did =
      droppedBy !== undefined
        ? `DROPS it: ${dropWords(droppedBy)}`
        : arrivedNs === undefined
          ? "still holds it when the run ends"
          : `${changed}carries it for ${((arrivedNs - enteredNs) / 1e6).toFixed(3)} ms`;
    return { at: enteredNs / NS_PER_SECOND, where: link, what: "link", did };
  }

  #end({ to, arrivedNs, discardedFor }: LoggedFrame, isTaken: boolean): TraceStep {
    const late = this.#log.lateDiscards.find(({ node, atNs }) => node === to && atNs >= arrivedNs!);
    const reason = discardedFor ?? (isTaken ? undefined : late?.reason);
    const did =
      reason !== undefined
        ? `DROPS it: ${reason}`
        : isTaken
          ? "takes it"
          : "takes it, and neither answers nor forwards it; no cause is known";
    return this.#node(to, discardedFor === undefined && reason !== undefined ? late!.atNs : arrivedNs!, did);
  }

  /** What a node changed between two frames. */
  #forwarding(before: LoggedFrame, after: LoggedFrame): string {
    const [was, is] = [layersOf(before.passed), layersOf(after.frame)];
    // A tunnel's packet that is passed on is what the node changes; else the packet in it.
    const depth = isCarriedOn(before.passed, after.frame) ? 0 : -1;
    const changes = [
      ...(depth === 0 ? [] : tunnelChange(was, is)),
      ...ttlChange(was.at(depth)!, is.at(depth)!),
      ...addressChange(was.at(depth)!, is.at(depth)!),
      ...tagChange(before.passed, after.frame),
    ];
    const routed = this.#types.get(after.from) === "router" ? ["new MACs"] : [];
    const all = [...changes, ...routed];
    return `forwards it${all.length === 0 ? "" : ` (${all.join(", ")})`}`;
  }
}

/** The tunnels that a node has taken the packet out of, and put it into. */
function tunnelChange(before: readonly Layer[], after: readonly Layer[]): string[] {
  const outOf = before.slice(1).map((_, index) => `out of ${describeTunnel(before, index)}`);
  const into = after.slice(1).map((_, index) => `into ${describeTunnel(after, index)}`);
  return [...outOf, ...into.toReversed()];
}

/** `GRE 192.0.2.1 > 198.51.100.1` */
function describeTunnel(layers: readonly Layer[], index: number): string {
  const { type, packet } = layers[index]!;
  const name = layers[index + 1]!.tunnel;
  if (type !== ETHERTYPE_IPV4) return `${name}`;
  return `${name} ${formatIpv4(readU32(packet, SOURCE_AT))} > ${formatIpv4(readU32(packet, TARGET_AT))}`;
}

function ttlChange(before: Payload, after: Payload): string[] {
  const offset = before.type === ETHERTYPE_IPV4 ? 8 : before.type === ETHERTYPE_IPV6 ? 7 : undefined;
  if (offset === undefined || before.packet[offset] === after.packet[offset]) return [];
  return [`TTL ${before.packet[offset]} to ${after.packet[offset]}`];
}

const SOURCE_AT = 12;
const TARGET_AT = 16;

/** What a translation has changed. */
function addressChange(before: Payload, after: Payload): string[] {
  if (before.type !== ETHERTYPE_IPV4) return [];
  return (
    [
      ["source", SOURCE_AT],
      ["target", TARGET_AT],
    ] as const
  ).flatMap(([name, offset]) => {
    const [old, now] = [readU32(before.packet, offset), readU32(after.packet, offset)];
    return old === now ? [] : [`${name} ${formatIpv4(old)} to ${formatIpv4(now)}`];
  });
}

function tagChange(before: Uint8Array, after: Uint8Array): string[] {
  const [one, other] = [payloadOf(before).at, payloadOf(after).at];
  if (one === other) return [];
  return [other > one ? "adds a VLAN tag" : "removes the VLAN tag"];
}
