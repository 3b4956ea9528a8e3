import { expect, test } from "vitest";
import { parse, problemsIn } from "../helpers.ts";

test("an anchor may be used by every node of a lab", () => {
  const nodes = Array.from({ length: 400 }, (_, index) => `  p${index}: *pc\n`);
  const { nodes: read } = parse(
    `nodes:\n  p: &pc {type: pc, ip: auto, commands: &c [show ip]}\n${nodes.join("")}`,
  );
  expect(read).toHaveLength(401);
  expect(read.at(-1)).toMatchObject({ name: "p399", spec: { startupScript: "ip auto\nshow ip" } });
});

test("an alias is the value of the last anchor of its name before it", () => {
  const { nodes } = parse("nodes: {a: &x 10.0.0.1/24, b: *x, c: &x 10.0.0.3/24, d: *x}");
  expect(nodes.map(({ addresses }) => addresses)).toEqual([
    ["10.0.0.1"],
    ["10.0.0.1"],
    ["10.0.0.3"],
    ["10.0.0.3"],
  ]);
});

test("the problem of an aliased value has the place of the value", () => {
  expect(problemsIn("nodes:\n  a: &x {ip: 10.0.0.1}\n  b: *x\n")).toEqual([
    expect.stringMatching(/^test\.lab\.yaml:2:10: nodes\.a\.ip must be /),
    expect.stringMatching(/^test\.lab\.yaml:2:10: nodes\.b\.ip must be /),
  ]);
});

const bomb = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"];
for (let index = 1; index < 9; index++)
  bomb.push(
    `a${index}: &a${index} [${Array(10)
      .fill(`*a${index - 1}`)
      .join(",")}]`,
  );
const text = "x".repeat(20_000);

test.each([
  ["without an anchor", "nodes: {a: *x}", "1:12: has an alias without an anchor before it: *x."],
  ["of the value that it is in", "nodes: &x {a: *x}", "1:15: has an alias of a value in that value: *x."],
  [
    "of too many values",
    bomb.join("\n"),
    "5:38: has aliases that stand for more than 100000 values, up to *a3 here.",
  ],
  [
    "of too many characters",
    `name: &x ${text}\nnodes:\n${Array.from({ length: 60 }, (_, index) => `  p${index}: *x\n`).join("")}`,
    "has aliases that stand for more than 1048576 characters",
  ],
  ["as a key, of a list", "name: &x [a]\nnodes: {*x : pc}", "2:9: has a key that is not a text."],
])("an alias %s is refused with its place", (_what, file, message) => {
  const problems = problemsIn(file);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(message);
});

test("a text alone is read with its anchor, and a key may be an alias", () => {
  expect(parse("name: &x pc1\nnodes: {*x : pc}").nodes[0]).toMatchObject({ name: "pc1" });
});

test("keys are read as they are written", () => {
  expect(
    parse("nodes: {001: pc, 1: pc, 0x10: pc, true: pc}")
      .nodes.map(({ name }) => name)
      .toSorted(),
  ).toEqual(["001", "0x10", "1", "true"]);
});

test.each([
  ["equal keys", "nodes: {a: pc, 'a': pc}", "1:16: is not YAML: Map keys must be unique"],
  ["a list as a key", "nodes: {[a]: pc}", "1:9: has a key that is not a text."],
  ["a version of YAML that reads values otherwise", "%YAML 1.1\n---\nnodes: {a: pc}", "is not YAML 1.2"],
  ["a second document", "nodes: {a: pc}\n---\nname: x\n", "another one begins here"],
  [
    "too many levels",
    `nodes: ${"[".repeat(120)}${"]".repeat(120)}`,
    "is nested more than 100 levels deep here.",
  ],
  ["too many levels, by aliases", levelsOfAliases(), "is nested more than 100 levels deep here."],
  ["more levels than the parser has", `nodes: ${"[".repeat(40_000)}`, "is nested too deep here."],
  ["a bracket that closes nothing", "nodes: {a: pc}\n]]]", "is not YAML"],
])("%s: the file is refused", (_what, file, message) => {
  expect(problemsIn(file).join("\n")).toContain(message);
});

function levelsOfAliases(): string {
  const lines = Array.from({ length: 120 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}]`);
  return `a0: &a0 [x]\n${lines.join("\n")}`;
}
