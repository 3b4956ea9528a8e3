/** In words, which seeds and which failures of links and nodes fail, and which PCs they cut off. */
import { formatFailures } from "@wirelab/lab/sweep/failures";
import type { CaseResult, LabResult } from "../result.ts";
import { alignColumns } from "./table.ts";

const SHOWN_CASES = 50;

export function describeVariation(lab: LabResult): string[] {
  const bad = lab.cases.filter(({ report }) => report.status !== "passed");
  const hasFailures = lab.cases.some(({ failures }) => failures.length > 0);
  const count = lab.cases.length;
  const head = `${count - bad.length} of ${count} ${hasFailures ? "combinations" : "seeds"} pass${describeSameRuns(lab)}`;
  const details =
    bad.length === 0 ? [] : hasFailures ? failureTable(bad) : [`failing seeds: ${seedList(bad)}`];
  return [head, ...details, ...matrixOf(lab)];
}

/** Runs that differ in more than their seed. */
export const countDistinct = ({ cases }: LabResult): number =>
  new Set(cases.map(({ failures, report }) => `${formatFailures(failures)} ${report.fingerprint}`)).size;

function describeSameRuns(lab: LabResult): string {
  const distinct = countDistinct(lab);
  if (distinct === lab.cases.length) return "";
  return distinct === 1
    ? "; all are the same run, because nothing in this lab is random"
    : `; ${distinct} of the runs are different`;
}

function seedList(bad: readonly CaseResult[]): string {
  const shown = bad.slice(0, SHOWN_CASES).map(({ seed }) => seed);
  const more = bad.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

/** A row for each combination that fails, a column for each expectation that fails in any of them. */
function failureTable(bad: readonly CaseResult[]): string[] {
  const names = new Map<string, string>();
  for (const { report } of bad) {
    for (const { status, name } of report.verdicts) {
      if (status !== "passed" && !names.has(name)) names.set(name, `[${names.size + 1}]`);
    }
  }
  const shown = bad.slice(0, SHOWN_CASES);
  const rows = shown.map((each) => [
    labelOf(each),
    ...[...names.keys()].map(
      (name) => each.report.verdicts.find((verdict) => verdict.name === name)?.status ?? "-",
    ),
  ]);
  const more = bad.length - shown.length;
  return [
    ...alignColumns([["", ...names.values()], ...rows], true),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...[...names].map(([name, number]) => `${number} ${name}`),
  ];
}

const labelOf = ({ seed, failures }: CaseResult): string =>
  `${formatFailures(failures)}${seed === undefined ? "" : `, seed ${seed}`}`;

/** A row for each combination, a column for each pair of PCs. */
function matrixOf({ cases }: LabResult): string[] {
  const pairs = cases[0]?.pairs ?? [];
  if (pairs.length === 0) return [];
  const head = ["reachable", ...pairs.map(({ from, to }) => `${from}>${to}`)];
  return alignColumns(
    [
      head,
      ...cases.map((each) => [
        labelOf(each),
        ...each.pairs.map(({ isReached }) => (isReached ? "yes" : "no")),
      ]),
    ],
    true,
  );
}
