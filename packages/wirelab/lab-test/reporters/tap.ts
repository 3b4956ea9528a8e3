/** TAP 14 (https://testanything.org/tap-version-14-specification.html): a test point for each expectation of each run. */
import type { TestResult } from "../result.ts";
import { caseName, detailsOf } from "./case-name.ts";

interface Point {
  readonly isGood: boolean;
  readonly name: string;
  readonly diagnostic?: Readonly<Record<string, unknown>>;
}

export function formatTap(result: TestResult): string {
  const points = pointsOf(result);
  const lines = points.map(({ isGood, name, diagnostic }, index) => {
    const line = `${isGood ? "ok" : "not ok"} ${index + 1} - ${escapeName(name)}`;
    if (diagnostic === undefined) return line;
    // JSON is YAML.
    return `${line}\n  ---\n${JSON.stringify(diagnostic, null, 2).replaceAll(/^/gm, "  ")}\n  ...`;
  });
  const plan = points.length === 0 ? "1..0 # SKIP nothing to run" : `1..${points.length}`;
  const notes = result.isCut ? ["# ended at the first failure"] : [];
  return `${["TAP version 14", plan, ...lines, ...notes].join("\n")}\n`;
}

const pointsOf = ({ labs }: TestResult): Point[] =>
  labs.flatMap((lab): Point[] =>
    lab.problem === undefined
      ? lab.cases.flatMap((each) =>
          each.report.verdicts.map((verdict, index) => {
            const name = `${caseName(lab.name, each)}: ${verdict.name}`;
            if (verdict.status === "passed") return { isGood: true, name };
            const { status, place } = verdict;
            const at = { file: lab.file, ...(place && { line: place.line, column: place.column }) };
            return {
              isGood: false,
              name,
              diagnostic: { status, at, details: detailsOf(verdict, index, each) },
            };
          }),
        )
      : [{ isGood: false, name: lab.file, diagnostic: { status: "undecided", message: lab.problem } }],
  );

/** `#` begins a directive. */
const escapeName = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("#", "\\#").replaceAll(/\s+/g, " ");
