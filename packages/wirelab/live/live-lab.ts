/**
 * Runs a lab in real time: lab time follows real time, and frames enter and leave at the lab's clouds.
 *
 *     outside -> wire -> cloud -> link, at the real time of the arrival
 *     link -> cloud -> wire -> outside, as soon as real time has reached the time of the arrival
 *
 * Lab time is never ahead of real time. When this process comes late, the lab catches up: times inside it stay exact.
 */
import { NS_PER_MS } from "@wirelab/engine/base/time";
import { DelayDistribution } from "@wirelab/engine/link/delay-distribution";
import { type Action, typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import type { RunLimits } from "@wirelab/engine/simulation/limits";
import { Simulation } from "@wirelab/engine/simulation/simulation";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { scheduleEvents } from "@wirelab/lab/play/schedule-events";
import { addLab, initialState, onTimeline } from "@wirelab/lab/topology/lab-state";
import type { RealTime } from "./real-time.ts";

/** A live lab has no end of its own, except that it must not fill the memory. */
const LIMITS: RunLimits = {
  events: Number.POSITIVE_INFINITY,
  packets: Number.POSITIVE_INFINITY,
  capturedBytes: Number.POSITIVE_INFINITY,
  bytesInFlight: 1 << 30,
  outputCharacters: Number.POSITIVE_INFINITY,
  labSeconds: Number.POSITIVE_INFINITY,
};

/** Up to this delay, the report is exact to a microsecond; longer ones count as this one. */
const MAX_DELAY_NS = 262 * NS_PER_MS;

/** 104 days; an event at its end keeps a lab going in which nothing else is left to happen. */
const END_NS = Number.MAX_SAFE_INTEGER;
const NOTHING: Action = { kind: "other", nodes: [], links: [], perform() {} };

export interface LiveLabOptions {
  readonly model: LabModel;
  readonly seed: string;
  readonly time: RealTime;
  /** The lab's clock at the start: microseconds since 1970. */
  readonly startUs: number;
  /** Called for each frame that leaves the lab. */
  readonly leave: (cloud: string, frame: Uint8Array) => void;
  /** Called for the text that a console prints. */
  readonly print: (node: string, text: string) => void;
  /** Called if the lab reaches a limit: the links hold more than a gibibyte. */
  readonly end: (limit: string) => void;
}

export class LiveLab {
  readonly #options: LiveLabOptions;
  readonly #simulation: Simulation;
  readonly #arrivals = new Map<string, (frame: Uint8Array) => Action>();
  readonly #beginNs: number;
  readonly #run = (): void => this.#advance();

  constructor(options: LiveLabOptions) {
    const { model, seed, time, startUs, leave } = options;
    this.#options = options;
    const clouds = new Set(model.nodes.filter(({ spec }) => spec.type === "cloud").map(({ name }) => name));
    this.#simulation = new Simulation({
      startUs,
      seed,
      limits: LIMITS,
      durationNs: END_NS,
      makeTap: () => undefined,
      makeDelays: () => new BoundedDelays(),
      observer: {
        arrived({ line, frame }) {
          const { peer } = line;
          if (peer !== undefined && clouds.has(peer.nodeId)) leave(peer.nodeId, frame);
        },
      },
    });
    for (const name of clouds) this.#arrivals.set(name, entering(name));
    addLab(this.#simulation, model, onTimeline(initialState(model), model, startUs));
    scheduleEvents(this.#simulation, model.events, {
      makeSession: (node, commands) => new LiveSession(node, commands, options.print),
    });
    this.#simulation.schedule(END_NS, NOTHING);
    this.#beginNs = time.nowNs();
    this.#advance();
  }

  get simulation(): Simulation {
    return this.#simulation;
  }

  /** Takes a frame from outside. */
  enter(cloud: string, frame: Uint8Array): void {
    if (this.#simulation.stopped) return;
    this.#simulation.schedule(this.#nowNs(), this.#arrivals.get(cloud)!(frame));
    this.#advance();
  }

  /** Types a command into a node's console. */
  type(node: string, command: string): void {
    if (this.#simulation.stopped) return;
    const session = new LiveSession(node, [command], this.#options.print);
    this.#simulation.schedule(this.#nowNs(), typeCommands(session));
    this.#advance();
  }

  stop(): void {
    this.#options.time.cancel();
  }

  #nowNs(): number {
    return this.#options.time.nowNs() - this.#beginNs;
  }

  #advance(): void {
    const simulation = this.#simulation;
    simulation.advance(this.#nowNs());
    const { time, end } = this.#options;
    if (simulation.stopped === undefined) {
      time.wakeAt(simulation.nextNs + this.#beginNs, this.#run);
      return;
    }
    time.cancel();
    if (simulation.stopped.limit) end(simulation.stopped.limit);
  }
}

function entering(cloud: string): (frame: Uint8Array) => Action {
  const nodes = [cloud];
  const links: string[] = [];
  return (frame) => ({
    kind: "other",
    nodes,
    links,
    perform: ({ node, inject }) => inject(node(cloud), 0, frame),
  });
}

/** Prints as the console does, and keeps nothing. */
class LiveSession extends ConsoleSession {
  readonly #print: LiveLabOptions["print"];

  constructor(node: string, commands: readonly string[], print: LiveLabOptions["print"]) {
    super(node, commands);
    this.#print = print;
  }

  override print(text: string): void {
    this.#print(this.nodeId, text);
  }
}

/** Its size does not grow with the packets of days. */
class BoundedDelays extends DelayDistribution {
  constructor() {
    super(0, MAX_DELAY_NS);
  }

  override add(delayNs: number): void {
    super.add(Math.min(delayNs, MAX_DELAY_NS));
  }
}
