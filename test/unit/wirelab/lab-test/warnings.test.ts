import { expect, test } from "vitest";
import { playCase } from "../../../../packages/wirelab/lab-test/play-case.ts";
import { makeColours } from "../../../../packages/wirelab/lab-test/reporters/colours.ts";
import { formatAnnotations } from "../../../../packages/wirelab/lab-test/reporters/github.ts";
import { formatJson } from "../../../../packages/wirelab/lab-test/reporters/json.ts";
import { formatPretty } from "../../../../packages/wirelab/lab-test/reporters/pretty.ts";
import { exitCodeOf, type TestResult } from "../../../../packages/wirelab/lab-test/result.ts";
import { parse } from "../../lab/helpers.ts";

const passed = playCase(
  parse("{nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}, links: [a -- b], expect: [{reach: a -> b}]}"),
  { seed: undefined, failures: [] },
  { hasMatrix: false, captures: "unused" },
);
const RESULT: TestResult = {
  isCut: false,
  labs: [
    {
      file: "x.clab.yml",
      name: "x",
      problem: undefined,
      warnings: ["x.clab.yml:3:5: topology.nodes.r2 has no routing configuration."],
      expectations: 1,
      cases: [passed],
    },
  ],
};

test("a warning is printed with its place, and fails nothing", () => {
  expect(formatPretty(RESULT, makeColours(false), 0)).toContain(
    "PASS x.clab.yml\n  warning x.clab.yml:3:5: topology.nodes.r2 has no routing configuration.\n",
  );
  expect(formatAnnotations(RESULT)).toBe(
    "::warning file=x.clab.yml,line=3,col=5::topology.nodes.r2 has no routing configuration.\n",
  );
  expect(JSON.parse(formatJson(RESULT)).labs[0].warnings).toHaveLength(1);
  expect(exitCodeOf(RESULT)).toBe(0);
});
