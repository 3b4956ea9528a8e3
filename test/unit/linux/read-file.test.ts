/** The job that reads a file, as the shell of this machine runs it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAnswer, readScript } from "../../../packages/linux/device/read-file.ts";

const folder = mkdtempSync(join(tmpdir(), "wirelab-read-"));
const MAX_BYTES = 1_000;

function read(name: string, content?: Uint8Array | string) {
  const file = join(folder, name);
  if (content !== undefined) writeFileSync(file, content);
  const { status, stdout } = spawnSync("sh", ["-c", readScript(file.slice(1), MAX_BYTES)]);
  return readAnswer({ code: status!, output: stdout.toString() });
}

test("a file arrives with each of its bytes, whatever its name is", () => {
  const bytes = Uint8Array.from({ length: MAX_BYTES }, (_, at) => at % 256);
  expect(read("all", bytes)).toEqual({ kind: "content", data: bytes });
  expect(read("it's $HOME", "text\n")).toEqual({ kind: "content", data: new TextEncoder().encode("text\n") });
  expect(read("empty", "")).toEqual({ kind: "content", data: new Uint8Array() });
});

test("a file that is not there, a folder, and a file that is too large say so", () => {
  expect(read("none")).toEqual({ kind: "missing" });
  mkdirSync(join(folder, "sub"));
  expect(read("sub")).toEqual({ kind: "special" });
  expect(read("large", "x".repeat(MAX_BYTES + 1))).toEqual({ kind: "large", bytes: MAX_BYTES + 1 });
});

test("an output that is cut, and a job that fails otherwise, are no file", () => {
  expect(readAnswer({ code: 0, output: "5\nYWJj\n" })).toEqual({
    kind: "unreadable",
    why: "the guest has sent 3 of 5 bytes",
  });
  expect(readAnswer({ code: 127, output: "" })).toEqual({
    kind: "unreadable",
    why: "the guest has sent 0 of unknown bytes",
  });
});
