/**
 * Plays a lab in virtual time:
 *
 *     boot (until nothing is left to happen, and routing is quiet) -> timeline, from 0 -> state at the end
 *                                                 |
 *                                                 +-- at the moments that expectations name: a copy of the state
 *
 * A probe (a ping of an expectation) starts from such a copy, in a run of its own that also has the timeline's later events. So
 * probes change neither the timeline nor each other. Frames that are on a link at the moment are not part of a copy.
 */
import { NS_PER_US } from "@wirelab/engine/base/time";
import type { Action } from "@wirelab/engine/simulation/actions";
import type { Observer } from "@wirelab/engine/simulation/observer";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import type { LabModel } from "../model/lab-model.ts";
import { initialState, type LabState, onTimeline, stateOf } from "../topology/lab-state.ts";
import { runStage } from "./run-stage.ts";
import { scheduleEvents } from "./schedule-events.ts";

export interface Watchers {
  readonly boot?: Observer | undefined;
  readonly timeline?: Observer | undefined;
}

export interface Played {
  readonly model: LabModel;
  readonly seed: string;
  readonly boot: Simulation;
  readonly timeline: Simulation;
  /** The lab's clock at the timeline's start. */
  readonly timelineUs: number;
  /** The duration of the timeline. */
  readonly endNs: number;
  /** Fingerprints of the runs of the probes so far, in order. */
  readonly probes: string[];
  /** Whether the caller's time for this lab is over; probes then end at the limit `cpu_seconds`. */
  readonly isOutOfTime: (() => boolean) | undefined;
  /** Returns the state at a moment that the caller named before the run, or at the end. */
  stateAt(atNs: number | undefined): LabState;
  /** Whether the timeline has come to a moment that the caller named. */
  hasCome(atNs: number): boolean;
}

/** @param moments at which a copy of the state is kept, in nanoseconds of the timeline. */
export function play(
  model: LabModel,
  { seed = model.seed, moments = [], watchers = {}, isOutOfTime, watch }: PlayOptions = {},
): Played {
  const off = initialState(model);
  const boot = runStage({
    model,
    seed,
    state: off,
    startUs: model.startUs,
    awaitsRouting: true,
    observer: watchers.boot,
    isOutOfTime,
    watch,
  });
  const timelineUs = model.startUs + Math.ceil(boot.nowNs / NS_PER_US);
  const booted = onTimeline(stateOf(boot, off), model, timelineUs);
  const copies = new Map<number, LabState>();
  const timeline = runStage({
    model,
    seed,
    state: booted,
    startUs: timelineUs,
    durationNs: model.durationNs,
    awaitsRouting: true,
    observer: watchers.timeline,
    isOutOfTime,
    watch,
    schedule(simulation) {
      scheduleEvents(simulation, model.events);
      // After the events of the same time.
      for (const atNs of new Set(moments))
        simulation.schedule(
          atNs,
          copyState(() => {
            // A state of a large lab takes a while, and the clock is read between many events only.
            if (!isOutOfTime?.()) copies.set(atNs, stateOf(simulation, booted));
          }),
        );
    },
  });
  // Only probes need it, and the state of a Linux guest is large.
  let end: LabState | undefined;
  const stateAtEnd = () => (end ??= stateOf(timeline, booted));
  return {
    model,
    seed,
    boot,
    timeline,
    timelineUs,
    endNs: timeline.nowNs,
    probes: [],
    isOutOfTime,
    // A moment after a limit has no copy: the end stands for it, and the verdict says that the run reached a limit.
    hasCome: (atNs) => copies.has(atNs),
    stateAt: (atNs) => (atNs === undefined ? stateAtEnd() : (copies.get(atNs) ?? stateAtEnd())),
  };
}

export interface PlayOptions {
  readonly seed?: string;
  readonly moments?: readonly number[];
  readonly watchers?: Watchers;
  readonly isOutOfTime?: (() => boolean) | undefined;
  readonly watch?: ((simulation: Simulation) => void) | undefined;
}

const copyState = (perform: () => void): Action => ({
  kind: "other",
  nodes: [],
  links: [],
  perform,
  isOnlooker: true,
});
