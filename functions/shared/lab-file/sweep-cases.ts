/** The cases of a sweep, numbered from 0: each combination of failures, with each seed. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { combineFailures, type Failure, type SweepSettings } from "@wirelab/lab/sweep/failures";

export interface CaseSettings extends SweepSettings {
  /** The first seed. With several, the others are `SEED-2`, `SEED-3`, ... */
  readonly seed: string;
  readonly seeds: number;
}

export interface Case {
  readonly failures: readonly Failure[];
  readonly seed: string;
}

/** Counts without making the cases: triple failures of a large lab are more than memory holds. */
export function countCases({ links, nodes }: LabModel, settings: CaseSettings): number {
  const combinations =
    1 + countUpTo(settings.links ?? 0, links.length) + countUpTo(settings.nodes ?? 0, nodes.length);
  return combinations * settings.seeds;
}

/** @param batch from 0. */
export const casesOfBatch = (
  model: LabModel,
  settings: CaseSettings,
  batch: number,
  batchCases: number,
): Case[] => makeCases(model, settings).slice(batch * batchCases, (batch + 1) * batchCases);

export const makeCases = (model: LabModel, { seed, seeds, ...failing }: CaseSettings): Case[] =>
  combineFailures(model, failing).flatMap((failures) =>
    Array.from({ length: seeds }, (_, index) => ({
      failures,
      seed: index === 0 ? seed : `${seed}-${index + 1}`,
    })),
  );

function countUpTo(most: number, items: number): number {
  let [sum, ofSize] = [0, 1];
  for (let size = 1; size <= most; size++) {
    ofSize = (ofSize * (items - size + 1)) / size;
    sum += ofSize;
  }
  return sum;
}
