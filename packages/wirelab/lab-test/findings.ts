/** Explains failures after all cases were played: captures, smaller timelines, and command lines that show them again. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { captureLab } from "@wirelab/lab/capture/capture-lab";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { formatTimeline } from "@wirelab/lab/shrink/format-timeline";
import { shrink } from "@wirelab/lab/shrink/shrink";
import { applyFailures, formatFailure } from "@wirelab/lab/sweep/failures";
import { onFile } from "../file-error.ts";
import { expectationsOf } from "./expectations.ts";
import type { CaseResult, CaseSettings, Finding, LabResult, Shrunk, TestResult } from "./result.ts";
import type { ReadLab } from "./work.ts";

/** Further failed expectations of a lab get a command line alone. */
const MAX_EXPLAINED = 5;

/** Explains the first case of each lab that does not pass. @param folder for the captures. */
export const addFindings = (labs: readonly ReadLab[], result: TestResult, folder: string): TestResult => ({
  ...result,
  labs: result.labs.map((lab, index) => explainLab(labs[index]!, lab, folder)),
});

function explainLab({ model }: ReadLab, lab: LabResult, folder: string): LabResult {
  const first = lab.cases.findIndex(({ report }) => report.status === "failed");
  const at = first < 0 ? lab.cases.findIndex(({ report }) => report.status === "undecided") : first;
  if (at < 0 || model === undefined) return lab;
  const bad = lab.cases[at]!;
  const findings = bad.report.verdicts
    .flatMap(({ status }, verdict) => (status === "passed" ? [] : [verdict]))
    .map((verdict, count) => explain(model, lab, bad, verdict, count < MAX_EXPLAINED ? folder : undefined));
  return { ...lab, cases: lab.cases.with(at, { ...bad, findings }) };
}

function explain(
  model: LabModel,
  lab: LabResult,
  bad: CaseResult,
  verdict: number,
  folder: string | undefined,
): Finding {
  const { status, name } = bad.report.verdicts[verdict]!;
  const command = commandOf(lab.file, bad, name);
  if (status !== "failed" || folder === undefined) {
    return { verdict, command, capture: undefined, shrunk: undefined };
  }
  const expectation = expectationsOf(model, bad)[verdict]!;
  const failing = applyFailures(model, bad.failures);
  const path = join(folder, captureName(lab, bad, verdict));
  const bytes = captureLab(failing, { seed: bad.report.seed, expectation });
  onFile("write", path, () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, bytes);
  });
  const shrunk = lab.cases.length > 1 ? shrinkCase(model, lab, bad, verdict) : undefined;
  return { verdict, command, capture: path, shrunk };
}

function shrinkCase(
  model: LabModel,
  { cases }: LabResult,
  bad: CaseResult,
  verdict: number,
): Shrunk | undefined {
  const { name, place } = bad.report.verdicts[verdict]!;
  const passing = cases.find(({ report }) =>
    report.verdicts.some(
      (each) => each.name === name && each.place?.line === place?.line && each.status === "passed",
    ),
  );
  const shrunk = shrink({
    model: { ...model, expectations: [expectationsOf(model, bad)[verdict]!] },
    seed: bad.report.seed,
    failures: bad.failures,
    passing: passing && { seed: passing.report.seed, failures: passing.failures },
  });
  if (shrunk === undefined) return undefined;
  return {
    yaml: formatTimeline(shrunk, bad.report.seed),
    events: shrunk.failures.length + shrunk.model.events.length,
    failures: shrunk.failures,
    runs: shrunk.runs,
  };
}

function commandOf(file: string, { seed, failures }: CaseSettings, name: string): string {
  const words = [
    ...["npx", "wirelab", "test", file],
    ...(seed === undefined ? [] : ["--seed", seed]),
    ...failures.flatMap((failure) => ["--fail", formatFailure(failure)]),
    ...["--filter", name],
  ];
  return words.map(quoteWord).join(" ");
}

/** Quotes for a POSIX shell. */
const quoteWord = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** `wan.seed-17.link-main.2.pcapng`: the lab, what varies, and the number of the expectation. */
function captureName({ name }: LabResult, { seed, failures }: CaseSettings, verdict: number): string {
  const parts = [
    name,
    ...(seed === undefined ? [] : [`seed-${seed}`]),
    ...failures.map(({ kind, name: failed }) => `${kind}-${failed}`),
    String(verdict + 1),
  ];
  return `${parts.map((part) => part.replaceAll(/[^\w-]+/g, "_")).join(".")}.pcapng`;
}
