import { execFileSync } from "node:child_process";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { expect, test } from "vitest";
import { failuresIn, stepLines } from "../../../packages/linux/device/steps.ts";

const spec: LinuxSpec = {
  type: "linux",
  name: "r1",
  image: "debian",
  ports: 1,
  mac: 0,
  addresses: [],
  files: {},
  commands: [],
};

test("a program that fails is reported with place, words, status and output, and the next one runs", () => {
  const script = stepLines({
    ...spec,
    steps: [
      { run: ["echo", "it's", ">", "/dev/null"], place: "x:1:2" },
      { run: ["sh", "-c", "echo one; echo two >&2; exit 3"], place: "x:2:2" },
      { run: ["there-is-none"], place: "x:3:2" },
      { run: ["echo", "end"], place: "x:4:2" },
    ],
  }).join("\n");
  const output = execFileSync("sh", ["-c", script], { encoding: "utf8" });
  expect(output).toContain("it's > /dev/null\none\ntwo\n");
  expect(output).toMatch(/end\n$/);
  expect(failuresIn(output)).toEqual([
    "x:2:2: `sh -c echo one; echo two >&2; exit 3` ended with the exit status 3: one two",
    expect.stringMatching(/^x:3:2: `there-is-none` ended with the exit status 127: .*not found/),
  ]);
});

test("a node without programs has no lines for them", () => {
  expect(stepLines(spec)).toEqual([]);
});
