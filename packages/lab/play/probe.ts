/** Sends a ping from a moment of the timeline, in a run of its own, whose times are times of the timeline. */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import type { DeviceSpec } from "@wirelab/engine/devices/readers";
import { type Action, typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import type { Observer } from "@wirelab/engine/simulation/observer";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import type { Probe } from "../model/expectation.ts";
import { addressOfNode } from "../topology/addresses.ts";
import type { Played } from "./play.ts";
import { runStage } from "./run-stage.ts";
import { scheduleEvents } from "./schedule-events.ts";

export interface PingOptions {
  /** Undefined at the end of the timeline. */
  readonly atNs: number | undefined;
  /** Pings of one packet, one after another, until one is answered; instead of `count`. */
  readonly tries?: number;
  /** Pings until one is answered or this time is over. */
  readonly untilNs?: number;
  readonly count?: number;
  readonly intervalMs?: number;
  readonly sizeBytes?: number;
  readonly observer?: Observer;
  /** Lab time for which the run goes on after the ping's end, to see what arrives late; absent: none. */
  readonly lingerNs?: number;
}

export interface Reply {
  readonly sequence: number;
  readonly ms: number;
  /** Lab time since the ping's start. */
  readonly atNs: number;
}

export interface PingResult {
  readonly target: string | undefined;
  readonly sent: number;
  readonly replies: readonly Reply[];
  readonly transcript: string;
  /** When the ping ended; undefined if it did not. */
  readonly doneNs: number | undefined;
  /** Why there was no ping: the node is off, or the target has no address. */
  readonly obstacle: string | undefined;
  /** The limit at which the run ended. */
  readonly limit: string | undefined;
}

export function ping(played: Played, probe: Probe, options: PingOptions): PingResult {
  const { model, seed, timelineUs } = played;
  const { state, saved } = played.copyAt(options.atNs);
  const atNs = options.atNs ?? played.endNs;
  const target = addressOfNode(model, state, probe.to);
  const none = { target, sent: 0, replies: [], transcript: "", doneNs: undefined, limit: undefined };
  if (target === undefined) return { ...none, obstacle: `${probe.to} has no address` };
  if (state.nodes.get(probe.from)?.status !== "started") return { ...none, obstacle: `${probe.from} is off` };
  const type = model.nodes.find(({ name }) => name === probe.from)?.spec.type;
  if ((type === "linux" || type === "server") && probe.protocol !== "icmp")
    return { ...none, obstacle: `${probe.from} is a ${kindOf(type).word}, whose probes are ICMP only` };
  // A short run does not poll.
  if (played.isOutOfTime?.()) return { ...none, obstacle: undefined, limit: "cpu_seconds" };
  const pinger = new Pinger(played, probe, target, options);
  const simulation = runStage({
    model,
    seed,
    state,
    saved,
    startUs: timelineUs,
    beginNs: atNs,
    observer: options.observer,
    isOver: () => pinger.isDoneFor(options.lingerNs ?? 0),
    isOutOfTime: played.isOutOfTime,
    schedule(run) {
      if (saved === undefined) scheduleEvents(run, model.events, { afterNs: atNs });
      pinger.begin(run, atNs);
    },
  });
  played.probes.push(simulation.digest);
  return {
    target,
    sent: pinger.sent,
    replies: pinger.replies,
    transcript: pinger.transcript,
    doneNs: pinger.doneNs,
    obstacle: undefined,
    limit: pinger.doneNs !== undefined ? undefined : simulation.stopped?.limit,
  };
}

/** The lines that a PC and a router print for a reply. Lines with "*" report an ICMP error. */
const REPLY = /^(?!\*).*?(?:seq=([0-9]+)).*?time=([0-9.]+) ms/;

class Pinger {
  readonly #probe: Probe;
  readonly #target: string;
  readonly #options: PingOptions;
  readonly #kind: DeviceSpec["type"] | undefined;
  #sessions: ConsoleSession[] = [];
  #simulation: Simulation | undefined;
  #beginNs = 0;
  doneNs: number | undefined;

  constructor({ model }: Played, probe: Probe, target: string, options: PingOptions) {
    this.#probe = probe;
    this.#target = target;
    this.#options = options;
    this.#kind = model.nodes.find(({ name }) => name === probe.from)?.spec.type;
  }

  get sent(): number {
    return this.#options.count ?? this.#sessions.length;
  }

  get replies(): Reply[] {
    return this.#sessions.flatMap((session, index) =>
      session.printed.flatMap(({ text, atNs }) =>
        text.split("\n").flatMap((line) => {
          const [whole, sequence, ms] = REPLY.exec(line) ?? [];
          if (whole === undefined) return [];
          const sinceNs = atNs - this.#beginNs;
          return [{ sequence: index * 1_000_000 + Number(sequence), ms: Number(ms), atNs: sinceNs }];
        }),
      ),
    );
  }

  get transcript(): string {
    return this.#sessions.map(({ output }) => output).join("");
  }

  isDoneFor(ns: number): boolean {
    return this.doneNs !== undefined && this.#simulation!.nowNs >= this.doneNs + ns;
  }

  begin(simulation: Simulation, beginNs: number): void {
    this.#simulation = simulation;
    this.#beginNs = beginNs;
    const { session } = simulation.nodes.get(this.#probe.from)!;
    // What runs there would make the probe wait, perhaps for ever.
    if (session?.status === "running") simulation.schedule(beginNs, interrupt(session, beginNs));
    this.#type(simulation, beginNs);
  }

  #type(simulation: Simulation, atNs: number): void {
    const session = new ConsoleSession(this.#probe.from, [this.#command()]);
    this.#sessions.push(session);
    session.whenDone(() => this.#next(simulation, session));
    simulation.schedule(atNs, typeCommands(session));
  }

  #next(simulation: Simulation, { status }: ConsoleSession): void {
    const { tries = 1, untilNs } = this.#options;
    const isAnswered = this.replies.length > 0;
    const hasTime =
      untilNs === undefined ? this.#sessions.length < tries : simulation.nowNs < this.#beginNs + untilNs;
    const isLast = this.#options.count !== undefined || isAnswered || !hasTime || status === "off";
    if (isLast) this.doneNs = simulation.nowNs;
    else this.#type(simulation, simulation.nowNs);
  }

  #command(): string {
    const { count = 1, intervalMs, sizeBytes } = this.#options;
    const { protocol, port } = this.#probe;
    const words = ["ping", this.#target, "-c", String(count)];
    const isPc = this.#kind === "vpcs";
    // Linux takes seconds.
    if (intervalMs !== undefined && this.#kind !== "router" && this.#kind !== "server")
      words.push("-i", String(isPc ? intervalMs : intervalMs / 1_000));
    if (sizeBytes !== undefined) words.push(isPc ? "-l" : "-s", String(sizeBytes));
    if (protocol !== "icmp") words.push("-P", protocol === "tcp" ? "6" : "17", "-p", String(port));
    return words.join(" ");
  }
}

const interrupt = (session: ConsoleSession, atNs: number): Action => ({
  kind: "other",
  nodes: [session.nodeId],
  links: [],
  perform: () => session.interrupt(atNs),
});
