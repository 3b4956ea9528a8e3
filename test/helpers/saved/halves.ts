/** Runs a lab as a whole, and in two parts: the second continues from the saved first. */

import { Simulation } from "@wirelab/engine/simulation/simulation";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { DEFAULT_LIMITS } from "@wirelab/lab/play/run-stage";
import { scheduleEvents } from "@wirelab/lab/play/schedule-events";
import { addLab, initialState } from "@wirelab/lab/topology/lab-state";
import {
  type SavedRun,
  saveSimulation,
  startSimulation,
} from "../../../packages/engine/simulation/saved-run.ts";

export interface Outcome {
  readonly digest: string;
  readonly texts: readonly string[];
  readonly stopped: string | undefined;
  readonly endNs: number;
  readonly events: number;
  /** What is left of devices and links. */
  readonly states: unknown;
}

const durationOf = ({ durationNs = 60e9 }: LabModel): number => durationNs;

export const optionsOf = (model: LabModel) => ({
  limits: { ...DEFAULT_LIMITS, ...model.limits },
  durationNs: durationOf(model),
  makeTap: () => undefined,
});

/** A simulation of the lab with its timeline, from power-on, that has run until `untilNs`. */
export function begin(model: LabModel, untilNs: number): Simulation {
  const simulation = new Simulation({ startUs: model.startUs, seed: model.seed, ...optionsOf(model) });
  addLab(simulation, model, initialState(model));
  scheduleEvents(simulation, model.events);
  simulation.advance(untilNs);
  return simulation;
}

export function outcomeOf(simulation: Simulation): Outcome {
  while (simulation.advance());
  return {
    digest: simulation.digest,
    texts: simulation.sessions.map(({ nodeId, output, status }) => `${nodeId} ${status}: ${output}`),
    stopped: simulation.stopped?.limit ?? simulation.stopped?.reason,
    endNs: simulation.nowNs,
    events: simulation.events,
    states: throughJson([
      ...[...simulation.nodes.values()].map(({ id, device }) => [id, device?.saveState()]),
      ...[...simulation.links.values()].map(({ id, aToB, bToA }) => [id, aToB.report(), bToA.report()]),
    ]),
  };
}

export const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

export const whole = (model: LabModel): Outcome => outcomeOf(begin(model, 0));

export const savedAt = (model: LabModel, atNs: number): SavedRun => saveSimulation(begin(model, atNs));

export const continued = (model: LabModel, saved: SavedRun): Outcome =>
  outcomeOf(startSimulation(saved, optionsOf(model)));
