/** Chooses the expectations that a run of a lab judges. */
import type { LabModel } from "@wirelab/lab/model/lab-model";

/**
 * Returns the positions of the expectations to judge: all of a lab whose name or file contains the text, else those whose names
 * contain it.
 */
export function selectExpectations(
  { name, expectations }: LabModel,
  file: string,
  text: string | undefined,
): number[] {
  const isAll = text === undefined || name.includes(text) || file.includes(text);
  return expectations.flatMap((each, index) => (isAll || each.name.includes(text) ? [index] : []));
}

/** @param positions of the expectations that remain. */
export const chooseExpectations = (model: LabModel, positions: readonly number[]): LabModel => ({
  ...model,
  expectations: positions.map((index) => model.expectations[index]!),
});
