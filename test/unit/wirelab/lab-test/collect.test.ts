/** `collect` of a lab file: the copies, and what reports say about them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReadFile } from "@wirelab/engine/devices/device";
import { expect, test } from "vitest";
import { addFindings } from "../../../../packages/wirelab/lab-test/findings.ts";
import { playCase } from "../../../../packages/wirelab/lab-test/play-case.ts";
import { makeColours } from "../../../../packages/wirelab/lab-test/reporters/colours.ts";
import { formatJson } from "../../../../packages/wirelab/lab-test/reporters/json.ts";
import { formatJunit } from "../../../../packages/wirelab/lab-test/reporters/junit.ts";
import { formatPretty } from "../../../../packages/wirelab/lab-test/reporters/pretty.ts";
import { exitCodeOf, type TestResult } from "../../../../packages/wirelab/lab-test/result.ts";
import { parseLabText } from "../../../../packages/wirelab/load-lab-file.ts";
import { guestsWithFiles } from "../../../helpers/engine/file-node.ts";
import { makeFolder } from "../run-cli.ts";
import { problemsOfJunit } from "./junit-schema.ts";

const LAB = `nodes:
  pc1: 10.0.0.1/24
  h1: {type: linux, collect: [tmp/a.json, /root/b]}
links: [{link: pc1 -- h1, name: wan}]
`;
const BYTES = Uint8Array.of(0, 255, 13, 10);

function play(found: Readonly<Record<string, Uint8Array>>, captures = makeFolder(), text = LAB) {
  const fileOf = (_: string, path: string): ReadFile =>
    found[path] === undefined ? { kind: "missing" } : { kind: "content", data: found[path] };
  const model = parseLabText(text, "dir/my lab.lab.yaml", guestsWithFiles(fileOf));
  const failures = [{ kind: "link", name: "wan" }] as const;
  const result = playCase(model, { seed: "4", failures }, { hasMatrix: true, captures });
  return { model, captures, result };
}

const toResult = ({ result }: ReturnType<typeof play>): TestResult => ({
  isCut: false,
  labs: [{ file: "f", name: "my lab", problem: undefined, warnings: [], expectations: 0, cases: [result] }],
});

test("the files of a case are copied beside its captures, and every report names them", () => {
  const played = play({ "tmp/a.json": BYTES, "root/b": new Uint8Array() });
  const copy = join(played.captures, "my_lab.seed-4.link-wan", "h1", "tmp", "a.json");
  expect(new Uint8Array(readFileSync(copy))).toEqual(BYTES);
  const result = toResult(played);
  expect(exitCodeOf(result)).toBe(0);
  const line = `kept /tmp/a.json of h1, 4 bytes: ${copy}`;
  expect(formatPretty(result, makeColours(false), 0)).toContain(
    `PASS f\n  ${line}\n  kept /root/b of h1, 0 bytes: `,
  );
  const junit = formatJunit(result, new Date(0));
  expect(junit).toContain(`<system-out>${line}\n`);
  expect(problemsOfJunit(junit)).toEqual([]);
  const [{ cases }] = JSON.parse(formatJson(result)).labs;
  expect(cases[0].files[0]).toEqual({ node: "h1", path: "tmp/a.json", file: copy, bytes: 4 });
  expect(cases[0].pairs).toEqual([]);
});

test("a file that is missing fails the case, takes the copy of an earlier play away, and has no capture", async () => {
  const before = play({ "tmp/a.json": BYTES, "root/b": BYTES });
  const played = play({ "tmp/a.json": BYTES }, before.captures);
  expect(existsSync(join(before.captures, "my_lab.seed-4.link-wan", "h1", "root", "b"))).toBe(false);
  const read = {
    ...played,
    file: "f",
    name: "my lab",
    text: LAB,
    expectations: [],
    problem: undefined,
    cases: [],
  };
  const result = await addFindings([read], toResult(played), { captures: played.captures, url: undefined });
  expect(exitCodeOf(result)).toBe(1);
  expect(result.labs[0]!.cases[0]!.findings).toEqual([]);
  const pretty = formatPretty(result, makeColours(false), 0);
  expect(pretty).toContain("x collect h1 root/b\n    f:3:");
  expect(pretty).toContain("got       h1 has no file /root/b\n");
  expect(formatJunit(result, new Date(0))).toContain(
    '<failure type="collect" message="expected a file of at most',
  );
});

test("a copy that cannot be written is an error that names it", () => {
  const { captures } = play({ "tmp/a.json": BYTES });
  expect(() => play({ "tmp/a.json/x": BYTES }, captures, LAB.replace("a.json", "a.json/x"))).toThrow(
    /^cannot write .*a\.json\/x: /,
  );
});

test("a lab that collects nothing has no files in its result", () => {
  expect(play({}, makeFolder(), LAB.replace(/, collect: .*\]/, "")).result).not.toHaveProperty("files");
});
