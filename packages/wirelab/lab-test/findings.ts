/** Explains failures after all cases were played: captures, smaller timelines, and command lines that show them again. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { captureLab } from "@wirelab/lab/capture/capture-lab";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { formatTimeline } from "@wirelab/lab/shrink/format-timeline";
import { shrink } from "@wirelab/lab/shrink/shrink";
import { applyFailures, formatFailure } from "@wirelab/lab/sweep/failures";
import { onFile } from "../file-error.ts";
import { caseStem } from "./case-stem.ts";
import { expectationsOf } from "./expectations.ts";
import type { CaseResult, CaseSettings, Finding, LabResult, Shrunk, TestResult } from "./result.ts";
import type { ReadLab } from "./work.ts";

/** Further failed expectations of a lab get a command line alone. */
const MAX_EXPLAINED = 5;

export interface FindingsOptions {
  /** Folder for the captures. */
  readonly captures: string;
  /** The service that played the cases. */
  readonly url: string | undefined;
}

/** Explains the first case of each lab that does not pass. */
export async function addFindings(
  labs: readonly ReadLab[],
  result: TestResult,
  options: FindingsOptions,
): Promise<TestResult> {
  const explained: LabResult[] = [];
  for (const [index, lab] of result.labs.entries())
    explained.push(await explainLab(labs[index]!, lab, options));
  return { ...result, labs: explained };
}

async function explainLab(
  read: ReadLab,
  lab: LabResult,
  { captures: folder, url }: FindingsOptions,
): Promise<LabResult> {
  const { model } = read;
  const first = lab.cases.findIndex(({ report }) => report.status === "failed");
  const at = first < 0 ? lab.cases.findIndex(({ report }) => report.status === "undecided") : first;
  if (at < 0 || model === undefined) return lab;
  const bad = lab.cases[at]!;
  const captured =
    url === undefined
      ? undefined
      : await (await import("./download-captures.ts")).downloadCaptures({ ...read, model }, bad, url);
  const findings = bad.report.verdicts
    // Those of collected files are after the expectations, and say all that there is.
    .slice(0, expectationsOf(model, bad).length)
    .flatMap(({ status }, verdict) => (status === "passed" ? [] : [verdict]))
    .map((verdict, count) =>
      explain(model, lab, bad, verdict, {
        folder: count < MAX_EXPLAINED ? folder : undefined,
        bytes: captured?.get(verdict),
      }),
    );
  return { ...lab, cases: lab.cases.with(at, { ...bad, findings }) };
}

function explain(
  model: LabModel,
  lab: LabResult,
  bad: CaseResult,
  verdict: number,
  {
    folder,
    bytes,
  }: {
    readonly folder: string | undefined;
    /** A capture of the service; else the lab is captured here. */
    readonly bytes: Uint8Array | undefined;
  },
): Finding {
  const { status, name } = bad.report.verdicts[verdict]!;
  const command = commandOf(lab.file, bad, name);
  if (status !== "failed" || folder === undefined) {
    return { verdict, command, capture: undefined, shrunk: undefined };
  }
  const path = join(folder, captureName(lab, bad, verdict));
  const capture = bytes ?? captureCase(model, bad, verdict);
  onFile("write", path, () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, capture);
  });
  const shrunk = lab.cases.length > 1 ? shrinkCase(model, lab, bad, verdict) : undefined;
  return { verdict, command, capture: path, shrunk };
}

const captureCase = (model: LabModel, bad: CaseResult, verdict: number): Uint8Array =>
  captureLab(applyFailures(model, bad.failures), {
    seed: bad.report.seed,
    expectation: expectationsOf(model, bad)[verdict]!,
  });

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

/** `wan.seed-17.link-main.2.pcapng`: the case, and the number of the expectation. */
const captureName = ({ name }: LabResult, bad: CaseSettings, verdict: number): string =>
  `${caseStem(name, bad)}.${verdict + 1}.pcapng`;
