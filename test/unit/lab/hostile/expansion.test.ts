import { MOST_PROBLEMS } from "@wirelab/lab/file/problem";
import { expect, test } from "vitest";
import { EXPANSION_LIMITS } from "../../../../packages/lab/read/expansion.ts";
import { problemsIn } from "../helpers.ts";

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");
const PCS = `nodes:\n  s: {type: switch, ports: 250}\n${lines(200, (index) => `  p${index}: 10.0.1.${index + 1}/16`)}
links:\n${lines(200, (index) => `  - p${index} -- s`)}\n`;
const TWO = "nodes: {a: pc, b: pc}\nlinks: [{link: a -- b, name: wire}]\n";

test.each([
  [
    "probes of all pairs",
    `${PCS}expect:\n${lines(900, () => "  - reach: all")}`,
    "expect[2].reach makes 35820000 probes; the limit is 100000.",
  ],
  [
    "probes of two lists",
    `${TWO}expect: [{reach: {from: [${"a,".repeat(400)}], to: [${"b,".repeat(400)}]}}]`,
    "expect[0].reach makes 160000 probes; the limit is 100000.",
  ],
  [
    "nodes",
    `nodes:\n${lines(10_001, (index) => `  h${index}: hub`)}`,
    "nodes makes 10001 nodes; the limit is 10000.",
  ],
  [
    "ports",
    `nodes:\n${lines(500, (index) => `  h${index}: {type: hub, ports: 256}`)}`,
    "nodes.h390 makes 128000 ports; the limit is 100000.",
  ],
  ["links", `nodes: {a: pc, b: pc}\nlinks:\n${lines(20_001, () => "  - a -- b")}`, "links makes 20001 links"],
  [
    "events",
    `${TWO}run:\n${lines(10_001, () => "  - {down: wire}")}`,
    "run makes 10001 events; the limit is 10000.",
  ],
  [
    "expectations",
    `${TWO}expect:\n${lines(10_001, () => "  - {no loop: }")}`,
    "expect makes 10001 expectations; the limit is 10000.",
  ],
  [
    "expressions",
    `${TWO}expect:\n${lines(501, (index) => `  - seen: tcp port ${index + 1}`)}`,
    "expect[500].seen makes 501 different pcap-filter expressions; the limit is 500.",
  ],
  [
    "states of nodes",
    `${PCS}expect:\n${lines(1_000, (index) => `  - {no loop: , at: ${index}ms}`)}`,
    "makes 201000 copies of the states of nodes, one for each node and each moment of an expectation; the limit is 200000.",
  ],
])("more %s than a file may ask for are refused with the figure", (_what, text, message) => {
  expect(problemsIn(text).join("\n")).toContain(message);
});

test.each([
  ["a switch", "nodes: {a: pc, s: switch}\nlinks: ['a -- s:4000000000']", "nodes.s needs 4000000001 ports"],
  ["a hub", "nodes: {a: pc, s: hub}\nlinks: ['a -- s:4000000000']", "nodes.s needs 4000000001 ports"],
  [
    "a switch with VLANs",
    "nodes: {s: {type: switch, vlans: {4000000000: 5}}}",
    "is not a port of the switch",
  ],
])("the number of a port does not make the ports before it: %s", (_what, text, message) => {
  expect(problemsIn(text).join("\n")).toContain(message);
});

test("equal expressions count once", () => {
  expect(problemsIn(`${TWO}expect:\n${lines(2_000, () => "  - seen: tcp port 80")}`)).toEqual([]);
});

test("the limits let an honest large lab through", () => {
  expect(problemsIn(`${PCS}expect:\n  - reach: all\n  - {reach: all, protocol: udp}\n`)).toEqual([]);
  expect(EXPANSION_LIMITS.probes).toBeGreaterThan(2 * 200 * 199);
});

test("the first problems of a file are listed, and that there are more", () => {
  const problems = problemsIn(
    `nodes: {pc1: pc}\nlinks:\n${lines(1_000, (index) => `  - pc1 -- pc2${index}`)}`,
  );
  expect(problems).toHaveLength(MOST_PROBLEMS + 1);
  expect(problems[0]).toContain('names no node: "pc20". Did you mean "pc1"?');
  expect(problems.at(-1)).toBe("test.lab.yaml: has more problems; these are the first 50.");
});
