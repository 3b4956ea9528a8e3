/**
 * Plays a lab in virtual time:
 *
 *     boot (until nothing is left to happen, and routing is quiet) -> timeline, from 0 -> state at the end
 *                                                 |
 *                                                 +-- at the moments that expectations name: a copy
 *
 * A probe (a ping of an expectation) starts from such a copy (copy.ts), in a run of its own that also has the timeline's later events. So
 * probes change neither the timeline nor each other.
 */
import { NS_PER_US } from "@wirelab/engine/base/time";
import type { Action } from "@wirelab/engine/simulation/actions";
import type { Observer } from "@wirelab/engine/simulation/observer";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import type { LabModel } from "../model/lab-model.ts";
import { initialState, type LabState, onTimeline, stateOf } from "../topology/lab-state.ts";
import { Copies, type Copy, type Moment } from "./copy.ts";
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
  stateAt(atNs: Moment): LabState;
  /** Returns the lab at a moment that the caller named in `probed`, for a run that begins there. */
  copyAt(atNs: Moment): Copy;
  /** Whether the timeline has come to a moment that the caller named. */
  hasCome(atNs: number): boolean;
}

export function play(
  model: LabModel,
  { seed = model.seed, moments = [], probed = [], watchers = {}, isOutOfTime, watch }: PlayOptions = {},
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
  const copies = new Copies(booted, probed);
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
      for (const atNs of new Set([...moments, ...probed]))
        if (atNs !== undefined)
          simulation.schedule(
            atNs,
            copyState(() => {
              // A state of a large lab takes a while, and the clock is read between many events only.
              if (!isOutOfTime?.()) copies.take(atNs, simulation);
            }),
          );
    },
    ending(simulation) {
      if (!isOutOfTime?.()) copies.takeEnd(simulation);
    },
  });
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
    stateAt: (atNs) => copies.get(atNs, timeline).state,
    copyAt: (atNs) => copies.get(atNs, timeline),
  };
}

export interface PlayOptions {
  readonly seed?: string;
  /** Moments at which a copy of the state is kept. */
  readonly moments?: readonly number[];
  /** Moments from which probes begin. */
  readonly probed?: readonly Moment[];
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
