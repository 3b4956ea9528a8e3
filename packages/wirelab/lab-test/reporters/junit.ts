/**
 * JUnit's XML, as Ant writes it and Jenkins, GitLab and others read it: a suite for each run of a lab, a case for each
 * expectation. Source: JUnit.xsd of https://github.com/windyroad/JUnit-Schema, the strictest of the schemas in use.
 */
import type { Verdict } from "@wirelab/lab/report/report";
import type { CaseResult, LabResult, TestResult } from "../result.ts";
import { caseName, detailsOf, explainInWords } from "./case-name.ts";
import { describeFiles } from "./kept-files.ts";
import { describeUnchecked } from "./unchecked.ts";

/** @param startedAt when the tests began. */
export function formatJunit({ labs }: TestResult, startedAt: Date): string {
  // The schema has times without a zone.
  const timestamp = startedAt.toISOString().slice(0, 19);
  const suites = labs.flatMap((lab) =>
    lab.problem === undefined
      ? lab.cases.map((each) => suiteOf(lab, each))
      : [problemSuite(lab, lab.problem)],
  );
  const parts = suites.map((suite, id) => formatSuite(suite, id, timestamp));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${parts.join("")}</testsuites>\n`;
}

interface Suite {
  readonly name: string;
  readonly file: string;
  readonly seconds: number;
  readonly cases: readonly { readonly name: string; readonly outcome: Outcome | undefined }[];
  readonly output: readonly string[];
}

interface Outcome {
  readonly element: "failure" | "error";
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

const suiteOf = ({ file, name }: LabResult, result: CaseResult): Suite => ({
  name: caseName(name, result),
  file,
  seconds: result.wallMs / 1_000,
  cases: result.report.verdicts.map((verdict, index) => ({
    name: verdict.name,
    outcome: outcomeOf(verdict, index, result, file),
  })),
  output: [...describeFiles([result]), ...describeUnchecked([result])],
});

function outcomeOf(verdict: Verdict, index: number, result: CaseResult, file: string): Outcome | undefined {
  if (verdict.status === "passed") return undefined;
  const where = verdict.place ? `${file}:${verdict.place.line}:${verdict.place.column}` : file;
  return {
    element: verdict.status === "failed" ? "failure" : "error",
    type: verdict.kind,
    message: explainInWords(verdict),
    text: [where, ...detailsOf(verdict, index, result)].join("\n"),
  };
}

const problemSuite = ({ file, name }: LabResult, problem: string): Suite => ({
  name,
  file,
  seconds: 0,
  cases: [
    {
      name: "the lab file can be used",
      outcome: { element: "error", type: "file", message: problem.split("\n")[0]!, text: problem },
    },
  ],
  output: [],
});

function formatSuite({ name, file, seconds, cases, output }: Suite, id: number, timestamp: string): string {
  const number = (element: Outcome["element"]) =>
    cases.filter(({ outcome }) => outcome?.element === element).length;
  const head = attributes({
    id,
    name,
    package: file,
    timestamp,
    hostname: "localhost",
    tests: cases.length,
    failures: number("failure"),
    errors: number("error"),
    time: seconds.toFixed(3),
  });
  // The time of a case is its share: all cases of a suite come from one run.
  const time = (seconds / Math.max(1, cases.length)).toFixed(6);
  const body = cases.map(({ name: caseTitle, outcome }) => {
    const own = attributes({ name: caseTitle, classname: name, time });
    if (outcome === undefined) return `    <testcase${own}/>\n`;
    const { element, type, message, text } = outcome;
    return `    <testcase${own}>\n      <${element}${attributes({ type, message })}>${escapeXml(text)}</${element}>\n    </testcase>\n`;
  });
  const out =
    output.length === 0 ? "<system-out/>" : `<system-out>${escapeXml(output.join("\n"))}</system-out>`;
  return `  <testsuite${head}>\n    <properties/>\n${body.join("")}    ${out}\n    <system-err/>\n  </testsuite>\n`;
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value)).replaceAll("\n", "&#10;")}"`)
    .join("");

/** Characters that XML 1.0 does not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that the expression removes.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(NOT_XML, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
