/** For people: failures with their evidence, and a table at the end. */
import type { ShownPacket, Verdict } from "@wirelab/lab/report/report";
import type { CaseResult, Finding, LabResult, TestResult } from "../result.ts";
import { variationName } from "./case-name.ts";
import type { Colours } from "./colours.ts";
import { describeFiles } from "./kept-files.ts";
import { alignColumns } from "./table.ts";
import { describeUnchecked } from "./unchecked.ts";
import { describeVariation } from "./variation.ts";

export function formatPretty(result: TestResult, colours: Colours, wallMs: number): string {
  const parts = result.labs.map((lab) => formatLab(lab, colours));
  return [...parts, formatSummary(result, colours, wallMs)].filter((part) => part !== "").join("\n");
}

function formatLab(lab: LabResult, colours: Colours): string {
  if (lab.problem !== undefined) return `${colours.unsure("ERROR")} ${lab.file}\n${indent(lab.problem, 2)}\n`;
  const bad = lab.cases.filter(({ report }) => report.status !== "passed");
  const lines = bad.slice(0, 1).flatMap((each) => formatCase(lab, each, colours));
  const varied = lab.cases.length > 1 ? describeVariation(lab) : [];
  const files = [...describeFiles(lab.cases), ...describeUnchecked(lab.cases)];
  const warnings = lab.warnings.map((warning) => `${colours.unsure("warning")} ${warning}`);
  if (lines.length + varied.length + files.length + warnings.length === 0) return "";
  return `${[`${headOf(lab, colours)} ${lab.file}`, ...[...warnings, ...varied, ...files].map((line) => `  ${line}`), ...lines].join("\n")}\n`;
}

function headOf({ cases }: LabResult, { good, bad, unsure }: Colours): string {
  const statuses = cases.map(({ report }) => report.status);
  if (statuses.includes("failed")) return bad("FAIL");
  return statuses.includes("undecided") ? unsure("UNDECIDED") : good("PASS");
}

function formatCase(lab: LabResult, result: CaseResult, colours: Colours): string[] {
  const { report, findings } = result;
  const head = lab.cases.length > 1 ? [`  first: ${variationName(result) || "no failure"}`] : [];
  const verdicts = report.verdicts.flatMap((verdict, index) =>
    verdict.status === "passed"
      ? []
      : formatVerdict(
          lab,
          verdict,
          findings.find((finding) => finding.verdict === index),
          colours,
        ),
  );
  return [...head, ...verdicts];
}

function formatVerdict(
  { file }: LabResult,
  { name, status, expected, got, place, evidence }: Verdict,
  finding: Finding | undefined,
  { bad, unsure, quiet, strong }: Colours,
): string[] {
  const sign = status === "failed" ? bad("x") : unsure("?");
  const rows: [string, string][] = [
    ["expected", expected],
    ["got", got],
  ];
  if (evidence?.death) {
    const { where, why, at } = evidence.death;
    rows.push(["ended", `at ${where}, ${formatSeconds(at)}: ${why}`]);
  }
  if (finding?.capture) rows.push(["capture", finding.capture]);
  if (finding) rows.push(["again", finding.command]);
  return [
    "",
    `  ${sign} ${strong(name)}`,
    `    ${quiet(place ? `${file}:${place.line}:${place.column}` : file)}`,
    ...rows.slice(0, 2).map(formatRow),
    ...(evidence && evidence.packets.length > 0 ? ["    packets", ...formatPackets(evidence.packets)] : []),
    ...rows.slice(2).map(formatRow),
    ...(finding?.shrunk ? formatShrunk(finding.shrunk) : []),
  ];
}

const LABEL_CHARACTERS = 10;
const formatRow = ([label, text]: [string, string]): string =>
  `    ${label.padEnd(LABEL_CHARACTERS)}${text.replaceAll("\n", `\n${" ".repeat(LABEL_CHARACTERS + 4)}`)}`;

const formatPackets = (packets: readonly ShownPacket[]): string[] =>
  alignColumns(
    packets.map(({ at, link, from, to, summary, fate }) => [
      formatSeconds(at),
      link,
      `${from} -> ${to}`,
      summary,
      fate,
    ]),
    true,
  ).map((line) => `      ${line}`);

const formatShrunk = ({ yaml, events, runs }: NonNullable<Finding["shrunk"]>): string[] => [
  `    shrunk to ${count(events, "event")} in ${count(runs, "run")}; the smallest timeline that still fails:`,
  indent(yaml.trimEnd(), 6),
];

const formatSeconds = (seconds: number): string => `${seconds.toFixed(6)} s`;
const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
const indent = (text: string, columns: number): string => text.replaceAll(/^/gm, " ".repeat(columns));

function formatSummary({ labs, isCut }: TestResult, { bad, good, unsure }: Colours, wallMs: number): string {
  const rows = labs.map(({ file, problem, cases }) => {
    const statuses = cases.flatMap(({ report }) => report.verdicts.map(({ status }) => status));
    const number = (status: string) => String(statuses.filter((each) => each === status).length);
    return problem === undefined
      ? [file, String(cases.length), number("passed"), number("failed"), number("undecided")]
      : [file, "error", "", "", ""];
  });
  const table = alignColumns([["lab", "runs", "passed", "failed", "undecided"], ...rows]);
  const failed = labs.filter(({ cases }) => cases.some(({ report }) => report.status === "failed")).length;
  const wrong = labs.filter(({ problem }) => problem !== undefined).length;
  const undecided = labs.filter(
    ({ cases }) =>
      cases.some(({ report }) => report.status === "undecided") &&
      cases.every(({ report }) => report.status !== "failed"),
  ).length;
  const idle = labs.filter(({ problem, cases }) => problem === undefined && cases.length === 0).length;
  const parts = [
    ...(failed > 0 ? [bad(`${failed} failed`)] : []),
    ...(wrong > 0 ? [unsure(`${count(wrong, "bad file")}`)] : []),
    ...(undecided > 0 ? [unsure(`${undecided} undecided`)] : []),
    good(`${labs.length - failed - wrong - undecided - idle} passed`),
    ...(idle > 0 ? [`${idle} without anything to check`] : []),
    ...(isCut ? ["ended at the first failure"] : []),
  ];
  return `${[...table, "", `${count(labs.length, "lab")}: ${parts.join(", ")} (${(wallMs / 1_000).toFixed(2)} s)`].join("\n")}\n`;
}
