/** Reads the labs, and plays all their cases. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { describeFailure } from "../failure.ts";
import { parseLabText, readLabText } from "../load-lab-file.ts";
import { casesOf } from "./cases.ts";
import { playCase } from "./play-case.ts";
import type { CaseResult, CaseSettings, LabResult, TestResult } from "./result.ts";
import { selectExpectations } from "./selection.ts";
import type { TestSettings } from "./settings.ts";

export interface ReadLab {
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** With the expectations that are judged; undefined for a file with a problem. */
  readonly model: LabModel | undefined;
  /** Positions in the file of the model's expectations. */
  readonly expectations: readonly number[];
  readonly problem: string | undefined;
  readonly cases: readonly CaseSettings[];
}

/** Reads a lab; a file that cannot be used has a problem and no cases, a lab without chosen expectations neither. */
export function readLab(file: string, settings: TestSettings): ReadLab {
  try {
    const text = readLabText(file);
    const whole = parseLabText(text, file);
    const expectations = selectExpectations(whole, file, settings.filter);
    const model = { ...whole, expectations: expectations.map((index) => whole.expectations[index]!) };
    const hasWork = model.expectations.length > 0 || settings.hasMatrix;
    const cases = hasWork ? casesOf(model, settings) : [];
    return { file, name: model.name, text, model, expectations, problem: undefined, cases };
  } catch (error) {
    const problem = problemOf(error);
    return { file, name: file, text: "", model: undefined, expectations: [], problem, cases: [] };
  }
}

/** The words for the user; programming errors are thrown on. */
function problemOf(error: unknown): string {
  return describeFailure(error, "test")
    .message.replace(/^wirelab: /, "")
    .trimEnd();
}

export interface PlayOptions extends Pick<TestSettings, "hasMatrix" | "isBailing"> {
  readonly onProgress: (done: number, all: number) => void;
}

export async function playLabs(labs: readonly ReadLab[], options: PlayOptions): Promise<TestResult> {
  const work = labs.flatMap(({ model, cases }, lab) =>
    cases.map((settings) => ({ lab, model: model!, settings })),
  );
  const results: { readonly lab: number; readonly result: CaseResult }[] = [];
  for (const { lab, model, settings } of work) {
    const result = playCase(model, settings, options);
    results.push({ lab, result });
    options.onProgress(results.length, work.length);
    if (options.isBailing && result.report.status === "failed") break;
  }
  return {
    isCut: results.length < work.length,
    labs: labs.map(
      ({ file, name, model, problem }, index): LabResult => ({
        file,
        name,
        problem,
        expectations: model?.expectations.length ?? 0,
        cases: results.filter(({ lab }) => lab === index).map(({ result }) => result),
      }),
    ),
  };
}
