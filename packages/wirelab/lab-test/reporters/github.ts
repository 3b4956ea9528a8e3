/**
 * GitHub Actions: an annotation at the line of each expectation that does not hold, and a summary of the job. Source:
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
import type { Verdict } from "@wirelab/lab/report/report";
import type { CaseResult, LabResult, TestResult } from "../result.ts";
import { caseName, detailsOf, explainInWords, variationName } from "./case-name.ts";

interface Bad {
  readonly lab: LabResult;
  readonly verdict: Verdict;
  readonly index: number;
  /** The first case in which it does not hold. */
  readonly first: CaseResult;
  readonly count: number;
}

/** An expectation is annotated once, however many seeds and failures it fails with. */
const badOf = (lab: LabResult): Bad[] => {
  const found = new Map<string, Bad>();
  for (const each of lab.cases) {
    for (const [index, verdict] of each.report.verdicts.entries()) {
      if (verdict.status === "passed") continue;
      const key = `${verdict.name} ${verdict.place?.line}:${verdict.place?.column}`;
      const known = found.get(key);
      found.set(
        key,
        known ? { ...known, count: known.count + 1 } : { lab, verdict, index, first: each, count: 1 },
      );
    }
  }
  return [...found.values()];
};

export const formatAnnotations = ({ labs }: TestResult): string =>
  labs
    .flatMap((lab) => [
      ...lab.warnings.flatMap((warning) => messagesOf(lab, warning, "warning")),
      ...(lab.problem === undefined ? badOf(lab).map(annotate) : messagesOf(lab, lab.problem, "error")),
    ])
    .map((line) => `${line}\n`)
    .join("");

function annotate({ lab, verdict, index, first, count }: Bad): string {
  const variation = variationName(first);
  const more =
    lab.cases.length > 1 ? `${count} of ${lab.cases.length} runs; first: ${variation || "no failure"}\n` : "";
  const message = `${more}${explainInWords(verdict)}\n${detailsOf(verdict, index, first).slice(2).join("\n")}`;
  const { place } = verdict;
  return command(
    { file: lab.file, ...(place && { line: place.line, col: place.column }), title: verdict.name },
    message.trimEnd(),
  );
}

/** A message about a file has the form `FILE:LINE:COLUMN: ...`. */
const messagesOf = ({ file }: LabResult, messages: string, level: Level): string[] =>
  messages.split("\n").map((text) => {
    const rest = text.startsWith(`${file}:`) ? text.slice(file.length + 1) : text;
    const [, line, col, message] = /^([0-9]+):([0-9]+): (.*)$/s.exec(rest) ?? [];
    return line === undefined
      ? command({ file }, text, level)
      : command({ file, line, col: col! }, message!, level);
  });

type Level = "error" | "warning";

const command = (
  properties: Readonly<Record<string, string | number>>,
  message: string,
  level: Level = "error",
): string => {
  const fields = Object.entries(properties).map(
    ([key, value]) => `${key}=${escapeData(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`,
  );
  return `::${level} ${fields.join(",")}::${escapeData(message)}`;
};

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** GitHub shows at most 1 MiB of a step's summary. */
const SHOWN_FAILURES = 100;

/** Markdown for the file that GITHUB_STEP_SUMMARY names. */
export function formatSummary({ labs }: TestResult): string {
  const rows = labs.map(({ file, problem, cases }) => {
    const number = (status: string) =>
      cases.flatMap(({ report }) => report.verdicts).filter((verdict) => verdict.status === status).length;
    const sign =
      number("failed") > 0
        ? "failed"
        : problem !== undefined || number("undecided") > 0
          ? "undecided"
          : "passed";
    return `| ${cell(file)} | ${sign} | ${cases.length} | ${number("passed")} | ${number("failed")} | ${number("undecided")} |`;
  });
  const bad = labs.flatMap(badOf);
  const details = bad
    .slice(0, SHOWN_FAILURES)
    .flatMap(({ lab, verdict, index, first }) => [
      "",
      `<details><summary>${escapeHtml(`${caseName(lab.name, first)}: ${verdict.name}`)}</summary>`,
      "",
      ...detailsOf(verdict, index, first).map((line) => `    ${line}`),
      "",
      "</details>",
    ]);
  const problems = labs.flatMap(({ problem }) =>
    problem === undefined ? [] : ["", ...problem.split("\n").map((line) => `    ${line}`)],
  );
  return `${[
    "### Labs",
    "",
    "| lab | result | runs | passed | failed | undecided |",
    "| --- | --- | ---: | ---: | ---: | ---: |",
    ...rows,
    ...details,
    ...problems,
  ].join("\n")}\n`;
}

const cell = (text: string): string => text.replaceAll("|", "\\|");
const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
