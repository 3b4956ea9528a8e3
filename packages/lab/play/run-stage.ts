/** Runs a lab from a state: boot, timeline, or a probe that starts from a moment of the timeline. */

import { isGuestType } from "@wirelab/engine/devices/find-kind";
import type { RunLimits } from "@wirelab/engine/simulation/limits";
import type { Observer } from "@wirelab/engine/simulation/observer";
import { CLOCK_EVERY_WITH_GUESTS, EVENTS_BETWEEN_CLOCK_READS } from "@wirelab/engine/simulation/run-budget";
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
  /** The lab's clock at the stage's start: microseconds since 1970. */
  readonly startUs: number;
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
}

/** Runs to the end. The simulation's `stopped` is undefined only if `isOver` ended it. */
export function runStage({
  model,
  seed,
  state,
  startUs,
  durationNs,
  awaitsRouting = false,
  observer,
  isOver,
  isOutOfTime,
  watch,
  schedule,
}: Stage): Simulation {
  const hasGuests = model.nodes.some(({ spec }) => spec && isGuestType(spec.type));
  // As often with guests as without them, because the end of a probe is part of its result.
  const isPaused = () =>
    simulation.events % EVENTS_BETWEEN_CLOCK_READS === EVENTS_BETWEEN_CLOCK_READS - 1 && isOver!();
  const simulation: Simulation = new Simulation({
    startUs,
    seed,
    limits: { ...DEFAULT_LIMITS, ...model.limits },
    durationNs,
    quiet: awaitsRouting ? model.quiet : undefined,
    observer,
    ...(isOutOfTime && { isOutOfTime }),
    ...(isOver && { isPaused }),
    clockEvery: hasGuests ? CLOCK_EVERY_WITH_GUESTS : EVENTS_BETWEEN_CLOCK_READS,
    makeTap: () => undefined,
  });
  addLab(simulation, model, state);
  schedule?.(simulation);
  watch?.(simulation);
  while (simulation.advance()) if (isOver?.()) break;
  return simulation;
}
