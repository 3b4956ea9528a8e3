/**
 * A lab at a moment of its timeline, for runs that begin there. The copy goes on as the timeline does: frames on links, timers, and
 * commands that consoles run are part of it. Linux nodes have memory that no run can save in its middle: a copy of a lab with them has
 * the states of nodes and links alone.
 */
import { isGuestType } from "@wirelab/engine/devices/find-kind";
import { type SavedRun, saveSimulation } from "@wirelab/engine/simulation/saved-run";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import { type LabState, stateOf } from "../topology/lab-state.ts";

export interface Copy {
  readonly state: LabState;
  /** Absent for a lab with Linux nodes. */
  readonly saved: SavedRun | undefined;
}

/** A moment of the timeline in nanoseconds; undefined for its end. */
export type Moment = number | undefined;

export class Copies {
  readonly #before: LabState;
  readonly #probed: ReadonlySet<Moment>;
  readonly #taken = new Map<number, Copy>();
  #savedAtEnd: SavedRun | undefined;
  #end: Copy | undefined;

  /** @param probed the moments from which probes begin. */
  constructor(before: LabState, probed: readonly Moment[]) {
    this.#before = before;
    this.#probed = new Set(probed);
  }

  has(atNs: number): boolean {
    return this.#taken.has(atNs);
  }

  take(atNs: number, simulation: Simulation): void {
    const state = stateOf(simulation, this.#before);
    this.#taken.set(atNs, { state, saved: this.#probed.has(atNs) ? save(simulation) : undefined });
  }

  /** Call before the timeline ends. A probe from a moment after a limit begins at the end, too. */
  takeEnd(simulation: Simulation): void {
    const isProbed = [...this.#probed].some((atNs) => atNs === undefined || !this.#taken.has(atNs));
    if (isProbed) this.#savedAtEnd = save(simulation);
  }

  /** @param timeline that has ended. */
  get(atNs: Moment, timeline: Simulation): Copy {
    const taken = atNs === undefined ? undefined : this.#taken.get(atNs);
    if (taken !== undefined) return taken;
    // Only probes need it, and the state of a Linux guest is large.
    this.#end ??= { state: stateOf(timeline, this.#before), saved: this.#savedAtEnd };
    return this.#end;
  }
}

function save(simulation: Simulation): SavedRun | undefined {
  const isSaved = [...simulation.nodes.values()].every(
    ({ spec, device }) =>
      (spec === undefined || !isGuestType(spec.type)) &&
      (device === undefined || device.freeze !== undefined),
  );
  return isSaved ? saveSimulation(simulation) : undefined;
}
