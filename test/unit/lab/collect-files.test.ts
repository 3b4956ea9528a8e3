import type { ReadFile } from "@wirelab/engine/devices/device";
import type { AskedFile } from "@wirelab/lab/play/collect-files";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { expect, test } from "vitest";
import { guestsWithFiles } from "../../helpers/engine/file-node.ts";

const FILES: Readonly<Record<string, ReadFile | "silent">> = {
  "tmp/a": { kind: "content", data: Uint8Array.of(0, 255, 10) },
  "tmp/most": { kind: "content", data: new Uint8Array(1_048_576) },
  "tmp/more": { kind: "content", data: new Uint8Array(1_048_577) },
  "var/log": { kind: "special" },
  "tmp/cut": { kind: "unreadable", why: "the guest has sent 3 of 5 bytes" },
  "tmp/slow": "silent",
};
const guests = guestsWithFiles((_, path) => FILES[path] ?? { kind: "missing" });

function play(node: string, more = "", isOutOfTime?: () => boolean) {
  const text = `nodes:
  pc1: 10.0.0.1/24
  h1: ${node}
links: [pc1 -- h1]
duration: 5s
expect: [{console: pc1, contains: x, not: true}]
${more}`;
  const model = parseLabFile(text, { name: "lab", guests });
  let files: readonly AskedFile[] = [];
  const report = runLab(model, {
    collect(asked) {
      files = asked;
    },
    ...(isOutOfTime && { isOutOfTime }),
  });
  return { files, report, without: runLab(model) };
}

const outcomes = ({ report }: ReturnType<typeof play>) =>
  report.verdicts.slice(1).map(({ name, status, got }) => `${status}: ${name}: ${got}`);

test("files are read at the end, and each has a verdict with its place; the lab has the same bytes", () => {
  const played = play("{type: linux, collect: [tmp/a, tmp/most, tmp/none, tmp/more, var/log, tmp/cut]}");
  expect(outcomes(played)).toEqual([
    "passed: collect h1 tmp/a: 3 bytes",
    "passed: collect h1 tmp/most: 1048576 bytes",
    "failed: collect h1 tmp/none: h1 has no file /tmp/none",
    "failed: collect h1 tmp/more: /tmp/more of h1 has 1048577 bytes",
    "failed: collect h1 var/log: /var/log of h1 is no regular file",
    "failed: collect h1 tmp/cut: /tmp/cut of h1 cannot be read: the guest has sent 3 of 5 bytes",
  ]);
  expect(played.report.status).toBe("failed");
  expect(played.report.verdicts[3]).toMatchObject({
    kind: "collect",
    expected: "a file of at most 1048576 bytes",
    place: { line: 3, column: 48 },
  });
  expect(played.files[0]!.answer).toEqual(FILES["tmp/a"]);
  const { verdicts, status, ...rest } = played.report;
  expect(played.without).toEqual({ ...rest, status: "passed", verdicts: verdicts.slice(0, 1) });
});

test.each([
  ["{type: linux, started: false, collect: tmp/a}", "", "h1 is off at the end"],
  ["{type: linux, collect: tmp/a}", "run: [{at: 1s, stop: h1}]", "h1 is off at the end"],
  ["{type: linux, collect: tmp/a}", "run: [{at: 1s, suspend: h1}]", "h1 is suspended at the end"],
  [
    "{type: linux, commands: sleep, collect: tmp/a}",
    "",
    "h1 has not run the commands of its start by the end",
  ],
])("a node that is %s %s has no files", (node, more, got) => {
  expect(outcomes(play(node, more))).toEqual([`failed: collect h1 tmp/a: ${got}`]);
});

test("a node that does not answer leaves its files undecided, and the others are there", () => {
  const played = play("{type: linux, collect: [tmp/slow, tmp/a]}");
  expect(outcomes(played)).toEqual([
    "undecided: collect h1 tmp/slow: h1 has not answered when the run reached its limit of lab_seconds",
    "passed: collect h1 tmp/a: 3 bytes",
  ]);
  expect(played.report.status).toBe("undecided");
});

test("a run that is out of time leaves its files undecided", () => {
  expect(outcomes(play("{type: linux, collect: tmp/slow}", "", () => true))).toEqual([
    "undecided: collect h1 tmp/slow: h1 has not answered when the run reached its limit of cpu_seconds",
  ]);
});
