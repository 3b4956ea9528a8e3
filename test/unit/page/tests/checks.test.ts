import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { describe, expect, test } from "vitest";
import { parseYaml } from "../../../../packages/lab/file/parse-yaml.ts";
import type { Link, Node } from "../../../../page/src/api/types.ts";
import { type Check, withCheck } from "../../../../page/src/tests/add-check.ts";
import { asTypeScript } from "../../../../page/src/tests/as-typescript.ts";
import { duringFailure, mustCarry, mustReach } from "../../../../page/src/tests/checks.ts";

const TOPOLOGY = `nodes:
  PC1: 10.0.0.1/24
  PC2: 10.0.0.2/24
  SW1: switch
links:
  - PC1 -- SW1:0
  - PC2 -- SW1:1
`;
const pc = (node_id: string, name: string, node_type = "vpcs") => ({ node_id, name, node_type }) as Node;
const NODES = new Map([
  ["1", pc("1", "PC1")],
  ["2", pc("2", "PC2")],
  ["3", pc("3", "SW1", "ethernet_switch")],
]);
const LINK = {
  nodes: ["1", "3"].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 })),
} as unknown as Link;

/** Plays the lab with the checks, one added after the other. */
function play(first: string, ...checks: readonly ((text: string) => Check)[]) {
  const tests = checks.reduce((text, make) => withCheck(text, make(text)), first);
  const { verdicts, status } = runLab(parseLabFile(`${TOPOLOGY}${tests}`, { name: "lab" }));
  return { tests, status, verdicts: verdicts.map((verdict) => verdict.status) };
}

describe("checks that are made by clicks", () => {
  test("hold that two devices reach each other, or do not", () => {
    const [a, b] = [NODES.get("1")!, NODES.get("2")!];
    expect(
      play(
        "",
        () => mustReach(a, b, false),
        () => mustReach(a, b, true),
      ).verdicts,
    ).toEqual(["passed", "failed"]);
  });

  test("hold what a link carries, and what it never does", () => {
    const ping = "run:\n  - {at: 1s, console: {PC1: ping 10.0.0.2 -c 1}}\n";
    const { verdicts } = play(
      ping,
      () => mustCarry(LINK, NODES, "icmp", false),
      () => mustCarry(LINK, NODES, "tcp", true),
      () => mustCarry(LINK, NODES, "icmp", true),
    );
    expect(verdicts).toEqual(["passed", "passed", "failed"]);
  });

  test("hold a pair of the sweep while something fails, one failure after the other", () => {
    const { verdicts, tests } = play(
      "run:\n  - {at: 2.5s, console: {PC1: show}}\n",
      (text) => duringFailure(text, { kind: "link", name: "PC1-SW1" }, "PC1 -> PC2", false),
      (text) => duringFailure(text, { kind: "node", name: "SW1" }, "PC2 -> PC1", false),
      (text) => duringFailure(text, { kind: "node", name: "SW1" }, "PC2 -> PC1", true),
      (text) => duringFailure(text, undefined, "PC1 -> PC2", true),
    );
    expect(verdicts).toEqual(["passed", "passed", "failed", "passed"]);
    expect(tests).toContain("{at: 63s, down: PC1-SW1}");
    expect(tests).toContain("{at: 123s, up: PC1-SW1}");
    expect(tests).toContain("{not reach: PC1 -> PC2, at: 113s}");
    expect(tests).toContain("{at: 183s, stop: SW1}");
  });

  test("refuse a name that a lab file cannot have, and an event without a time", () => {
    expect(() => mustReach(pc("1", "a b"), NODES.get("2")!, false)).toThrow("A test cannot name a b");
    expect(() =>
      duringFailure("run:\n  - {at: soon, stop: SW1}\n", { kind: "node", name: "SW1" }, "a -> b", true),
    ).toThrow("an event at soon, which is no time");
  });
});

test("a lab as TypeScript has the data of its file", () => {
  const file = `${TOPOLOGY}expect:\n  - reach: PC1 -> PC2\n`;
  const text = asTypeScript('the "lab"', file);
  expect(text).toContain('test("the \\"lab\\"", ({ lab }) => {');
  expect(text).toContain("expect(net).toHold();");
  const data = text.slice(text.indexOf("lab(") + 4, text.indexOf(");\n  expect"));
  expect(JSON.parse(data)).toEqual(parseYaml(file, "lab").data);
});
