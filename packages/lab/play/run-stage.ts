/** Runs a lab from a state: boot, timeline, or a probe that starts from a moment of the timeline. */
import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import { isGuestType } from "@wirelab/engine/devices/find-kind";
import type { RunLimits } from "@wirelab/engine/simulation/limits";
import type { Observer } from "@wirelab/engine/simulation/observer";
import { CLOCK_EVERY_WITH_GUESTS, EVENTS_BETWEEN_CLOCK_READS } from "@wirelab/engine/simulation/run-budget";
import { type SavedRun, startSimulation } from "@wirelab/engine/simulation/saved-run";
import { Simulation } from "@wirelab/engine/simulation/simulation";
import type { LabModel } from "../model/lab-model.ts";
import { addLab, type LabState } from "../topology/lab-state.ts";

/** Below those of the service: a lab of a test that needs more is usually a storm. */
export const DEFAULT_LIMITS: RunLimits = {
  events: 1_000_000,
  packets: 500_000,
  capturedBytes: 67_108_864,
  bytesInFlight: 268_435_456,
  outputCharacters: 1_000_000,
  labSeconds: 604_800,
};

export interface Stage {
  readonly model: LabModel;
  readonly seed: string;
  readonly state: LabState;
  /** The run in its middle, with which the stage goes on, in place of `state`. */
  readonly saved?: SavedRun | undefined;
  /** The lab's clock at the time 0: microseconds since 1970. */
  readonly startUs: number;
  /** The time at which the stage begins. Default: 0. */
  readonly beginNs?: number;
  readonly durationNs?: number | undefined;
  /** Whether a stage without a duration lasts until routing is quiet. */
  readonly awaitsRouting?: boolean;
  readonly observer?: Observer | undefined;
  /** Polled now and then; true ends the stage early. */
  readonly isOver?: (() => boolean) | undefined;
  /** Polled now and then; true ends the stage at the limit `cpu_seconds`. */
  readonly isOutOfTime?: (() => boolean) | undefined;
  /** Gets the simulation before it runs. */
  readonly watch?: ((simulation: Simulation) => void) | undefined;
  readonly schedule?: (simulation: Simulation) => void;
  /** Called before the stage ends, while frames are still on their way. */
  readonly ending?: ((simulation: Simulation) => void) | undefined;
}

/** Runs to the end. The simulation's `stopped` is undefined only if `isOver` ended it. */
export function runStage({
  model,
  seed,
  state,
  saved,
  startUs,
  beginNs = 0,
  durationNs,
  awaitsRouting = false,
  observer,
  isOver,
  isOutOfTime,
  watch,
  schedule,
  ending,
}: Stage): Simulation {
  const hasGuests = model.nodes.some(({ spec }) => spec && isGuestType(spec.type));
  // As often with guests as without them, because the end of a probe is part of its result.
  const isPaused = () =>
    simulation.events % EVENTS_BETWEEN_CLOCK_READS === EVENTS_BETWEEN_CLOCK_READS - 1 && isOver!();
  const limits = { ...DEFAULT_LIMITS, ...model.limits };
  const options = {
    limits: { ...limits, labSeconds: limits.labSeconds + beginNs / NS_PER_SECOND },
    durationNs,
    quiet: awaitsRouting ? model.quiet : undefined,
    observer,
    ...(isOutOfTime && { isOutOfTime }),
    ...(isOver && { isPaused }),
    clockEvery: hasGuests ? CLOCK_EVERY_WITH_GUESTS : EVENTS_BETWEEN_CLOCK_READS,
    ending: ending && (() => ending(simulation)),
    makeTap: () => undefined,
  };
  const simulation: Simulation =
    saved === undefined
      ? new Simulation({ ...options, startUs, seed, beginNs })
      : startSimulation(saved, { ...options, countsAnew: true });
  if (saved === undefined) addLab(simulation, model, state);
  schedule?.(simulation);
  watch?.(simulation);
  while (simulation.advance()) if (isOver?.()) break;
  return simulation;
}
