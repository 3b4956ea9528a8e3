/** Reads the labs, and plays all their cases. */
import { collectsFiles } from "@wirelab/lab/play/collect-files";
import { describeFailure } from "../failure.ts";
import { parseLabText, readLabText } from "../load-lab-file.ts";
import { casesOf } from "./cases.ts";
import { playCases } from "./play-cases.ts";
import type { CaseResult, LabResult, TestResult } from "./result.ts";
import { chooseExpectations, selectExpectations } from "./selection.ts";
import type { TestSettings } from "./settings.ts";
import type { PlayedLab, PlayOptions, ReadLab, Work } from "./work.ts";

/** Reads a lab; a file that cannot be used has a problem and no cases, a lab without chosen expectations neither. */
export function readLab(file: string, settings: TestSettings): ReadLab {
  try {
    const text = readLabText(file);
    const whole = parseLabText(text, file);
    const expectations = selectExpectations(whole, file, settings.filter);
    const model = chooseExpectations(whole, expectations);
    const hasWork =
      model.expectations.length > 0 ||
      settings.hasMatrix ||
      (settings.filter === undefined && (collectsFiles(model) || model.checksNeighbours === true));
    const cases = hasWork ? casesOf(model, settings) : [];
    return { file, name: model.name, text, model, expectations, problem: undefined, cases };
  } catch (error) {
    const problem = problemOf(error);
    return { file, name: file, text: "", model: undefined, expectations: [], problem, cases: [] };
  }
}

/** Programs of nodes that have failed in any case, once each. */
const failuresOf = (cases: readonly CaseResult[]): string[] => [
  ...new Set(cases.flatMap(({ report: { failures = [] } }) => failures)),
];

/** The words for the user; programming errors are thrown on. */
function problemOf(error: unknown): string {
  return describeFailure(error, "test")
    .message.replace(/^wirelab: /, "")
    .trimEnd();
}

export async function playLabs(labs: readonly ReadLab[], options: PlayOptions): Promise<TestResult> {
  const played = labs.filter((lab): lab is PlayedLab => lab.model !== undefined);
  const work = played.flatMap(({ cases }, lab): Work[] => cases.map((settings) => ({ lab, settings })));
  const results =
    options.url === undefined
      ? await playCases(played, work, options)
      : await (await import("./play-on-service.ts")).playOnService(played, work, options.url, options);
  const resultsOf = (lab: ReadLab) => results.filter((_, index) => played[work[index]!.lab] === lab);
  return {
    isCut: results.length < work.length,
    labs: labs.map(
      (lab): LabResult => ({
        file: lab.file,
        name: lab.name,
        problem: lab.problem,
        warnings: [...(lab.model?.warnings ?? []), ...failuresOf(resultsOf(lab))],
        expectations: lab.expectations.length,
        cases: resultsOf(lab),
      }),
    ),
  };
}
