import type { ScriptResult } from "@wirelab/engine/devices/device";
import { expect, test } from "vitest";
import { Job } from "../../../packages/linux/device/job.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function received(...parts: readonly string[]): ScriptResult[] {
  const results: ScriptResult[] = [];
  const job = new Job((result) => results.push(result));
  for (const part of parts) job.receive(bytes(part));
  return results;
}

test("a script is sent with its length in bytes", () => {
  expect(new TextDecoder().decode(Job.request("echo ü"))).toBe("7\necho ü");
});

test("a result arrives in parts", () => {
  expect(received("3", " 5\r\na", "bü\n", "more")).toEqual([{ code: 3, output: "abü\n" }]);
  expect(received("0 5\n", "ab", "c", "ü")).toEqual([{ code: 0, output: "abcü" }]);
});

test("an empty output is a result", () => {
  expect(received("0 0\n")).toEqual([{ code: 0, output: "" }]);
});

test("a part of the output is no result", () => {
  expect(received("0 5\nabcd")).toEqual([]);
});

test("a long output arrives in many parts", () => {
  const part = bytes("x".repeat(16));
  const results: ScriptResult[] = [];
  const job = new Job((result) => results.push(result));
  job.receive(bytes(`0 ${16 * 100_000}\n`));
  for (let count = 0; count < 100_000; count += 1) job.receive(part);
  expect(results[0]!.output).toHaveLength(1_600_000);
});
