/**
 * A run in its middle as plain JSON data, and the run again: devices, links, frames on their way, timers, consoles. The run goes on as
 * the original does, to the byte.
 *
 *     const saved = saveSimulation(simulation);                  // JSON
 *     const copy = startSimulation(saved, { limits, makeTap });  // in another process, if need be
 *
 * Captured packets are the caller's, like limits and observers.
 */
import { decodeGraph, type EncodedGraph, encodeGraph, NoDataError } from "../base/graph.ts";
import { compileFilter, type LinkType, sourceOf } from "../bpf/index.ts";
import { CannotSaveError } from "../devices/device.ts";
import type { PacketPredicate } from "../link/filters/index.ts";
import { WirePacket } from "../link/impairments/wire-packet.ts";
import { ConsoleSession, type FrozenSession } from "./console-session.ts";
import { Flight, type FrozenFlight } from "./flight.ts";
import type { LabLink, LabNode } from "./lab.ts";
import { LinkLine } from "./link-line.ts";
import type { FrozenLink } from "./sim-link.ts";
import { type FrozenNode, SimNode } from "./sim-node.ts";
import { type FrozenRun, Simulation, type SimulationOptions } from "./simulation.ts";
import { type Task, TimerEvent, type TimerOwner } from "./timer-event.ts";

/** The form of the data; other ones are refused. */
export const SAVED_RUN_VERSION = 1;

export interface SavedRun {
  readonly version: number;
  readonly seed: string;
  /** The lab's clock at the run's start: microseconds since 1970. */
  readonly startUs: number;
  /** Since the start. */
  readonly nowNs: number;
  readonly lab: unknown;
  readonly run: unknown;
}

/** What the lab consists of, apart from the run. */
interface LabGraph {
  readonly nodes: readonly {
    readonly node: LabNode;
    readonly status: FrozenNode["status"];
    readonly random: FrozenNode["random"];
  }[];
  readonly links: readonly LabLink[];
}

type Name =
  | { readonly kind: "node"; readonly id: string }
  | { readonly kind: "line"; readonly link: string; readonly isBack: boolean }
  | { readonly kind: "bpf"; readonly expression: string; readonly linkType: LinkType }
  | { readonly kind: "flight"; readonly flight: FrozenFlight }
  | { readonly kind: "packet"; readonly packet: Omit<WirePacket, "reset"> }
  | { readonly kind: "session"; readonly session: FrozenSession }
  | { readonly kind: "over"; readonly owner: TimerOwner | undefined; readonly life: number }
  | {
      readonly kind: "timer";
      readonly isBackground: boolean;
      readonly owner: TimerOwner | undefined;
      readonly life: number;
      readonly task: Task | undefined;
    };

/** @throws CannotSaveError with what has no form as data: a Linux guest's memory, a command that cannot be saved while it runs. */
export function saveSimulation(simulation: Simulation): SavedRun {
  const frozen = simulation.freeze();
  const lab: LabGraph = {
    nodes: frozen.nodes.map(({ id, frozen: { status, random } }) => {
      const { name, spec, wires } = simulation.nodes.get(id)!;
      return { node: { id, name, spec, wires, status }, status, random };
    }),
    links: frozen.links.map(({ link }) => link),
  };
  const run = encode({ ...frozen, links: frozen.links.map(withoutLab) });
  refuseUnclaimed(frozen, run);
  const { seed, startUs } = simulation;
  return {
    version: SAVED_RUN_VERSION,
    seed,
    startUs,
    nowNs: frozen.nowNs,
    lab: encode(lab).data,
    run: run.data,
  };
}

/**
 * Continues a saved run.
 * @param options what is the caller's; a tap begins anew.
 * @throws RangeError for data of another version.
 */
export function startSimulation(
  saved: SavedRun,
  options: Omit<SimulationOptions, "seed" | "startUs">,
): Simulation {
  const { version, seed, startUs } = saved;
  if (version !== SAVED_RUN_VERSION)
    throw new RangeError(
      `The saved run has version ${version}; this release reads version ${SAVED_RUN_VERSION}.`,
    );
  const simulation = new Simulation({ ...options, seed, startUs });
  const finder = new Finder(simulation);
  const lab = decodeGraph(saved.lab, (name) => finder.find(name as Name)) as LabGraph;
  for (const { node, status, random } of lab.nodes) simulation.addFrozenNode(node, { status, random });
  for (const link of lab.links) simulation.addFrozenLink(link);
  const frozen = decodeGraph(saved.run, (name) => finder.find(name as Name)) as FrozenRun;
  simulation.thaw(frozen, finder.sessions);
  for (const timer of finder.timers) {
    const { owner, life } = timer;
    if (owner !== undefined && owner.life === life && !timer.isArmed)
      throw new RangeError(`${owner.name}: a saved timer has no use`);
  }
  return simulation;
}

/** The links themselves are part of the lab. */
const withoutLab = ({ link: { id }, ...frozen }: FrozenLink) => ({ ...frozen, link: { id } });

function encode(graph: unknown): EncodedGraph {
  try {
    return encodeGraph(graph, { nameOf });
  } catch (error) {
    if (error instanceof NoDataError) throw new CannotSaveError(error.message);
    throw error;
  }
}

/** Every timer of a device must be part of what its device has saved: otherwise the copy would lose it. */
function refuseUnclaimed({ events, nodes }: FrozenRun, { isShared }: EncodedGraph): void {
  const timers = [
    ...events.flatMap(([, event]) => (event.kind === "timer" ? [event] : [])),
    ...nodes.flatMap(({ frozen: { waiting } }) => waiting),
  ];
  for (const timer of timers) {
    const { owner, life } = timer;
    if (owner !== undefined && owner.life === life && !isShared(timer))
      throw new CannotSaveError(`${owner.name}: it waits for something that cannot be saved`);
  }
}

function nameOf(value: object): Name | undefined {
  if (value instanceof TimerEvent) {
    const { isOver, isBackground, owner, life, task } = value;
    return isOver ? { kind: "over", owner, life } : { kind: "timer", isBackground, owner, life, task };
  }
  if (value instanceof Flight) return { kind: "flight", flight: value.freeze() };
  if (value instanceof SimNode) return { kind: "node", id: value.id };
  if (value instanceof LinkLine) return { kind: "line", link: value.link.id, isBack: value.isBack };
  if (value instanceof WirePacket) return { kind: "packet", packet: { ...value } };
  if (value instanceof ConsoleSession) return { kind: "session", session: value.freeze() };
  if (typeof value !== "function") return undefined;
  const source = sourceOf(value as PacketPredicate);
  return source && { kind: "bpf", ...source };
}

/** Finds or makes the instances of names. */
class Finder {
  readonly sessions = new Map<ConsoleSession, FrozenSession>();
  readonly timers: TimerEvent[] = [];
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  find(name: Name): unknown {
    switch (name.kind) {
      case "node":
        return this.#simulation.nodes.get(name.id);
      case "line": {
        const link = this.#simulation.links.get(name.link);
        return name.isBack ? link?.bToA : link?.aToB;
      }
      case "bpf":
        return compileFilter(name.expression, name.linkType);
      case "flight":
        return Flight.thaw(name.flight);
      case "packet": {
        const { data, wireLength, enteredNs, tag } = name.packet;
        return Object.assign(new WirePacket(data, wireLength, enteredNs, tag), name.packet);
      }
      case "session":
        return this.#sessionOf(name.session);
      case "over":
        return this.#keep(new TimerEvent(undefined, undefined, name.owner, undefined, name.life), true);
      case "timer": {
        const { isBackground, owner, life, task } = name;
        return this.#keep(this.#simulation.makeFrozenTimer(isBackground, owner, life, task), false);
      }
    }
  }

  #keep(timer: TimerEvent, isOver: boolean): TimerEvent {
    if (isOver) timer.cancel();
    else if (timer.task === undefined) this.timers.push(timer);
    return timer;
  }

  #sessionOf(frozen: FrozenSession): ConsoleSession {
    const { nodeId, commands, isEchoed } = frozen;
    const session = new ConsoleSession(nodeId, commands, { isEchoed });
    this.sessions.set(session, frozen);
    return session;
  }
}
