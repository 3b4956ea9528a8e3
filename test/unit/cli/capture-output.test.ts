import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openOutput } from "../../../functions/cli/capture-output.ts";
import { CLI, FIXTURE, makeFolder, NODE, runCli } from "./run-cli.ts";

const folder = makeFolder();

describe("the file that a command writes", () => {
  test("leaves nothing behind when it cannot take its name", async () => {
    const target = join(folder, "taken");
    const output = await openOutput(target, {} as never, { stdout: process.stdout });
    await output.write(new Uint8Array(3));
    mkdirSync(target);
    await expect(output.commit()).rejects.toThrow();
    await output.abandon();
    expect(readdirSync(folder)).toEqual(["taken"]);
  });

  test("may have the longest name that there is", async () => {
    const name = "x".repeat(255);
    expect((await runCli(["match", "ip", FIXTURE, join(folder, name)])).code).toBe(0);
    expect(readdirSync(folder)).toContain(name);
  });

  test("must have a name", async () => {
    const { code, stderr } = await runCli(["match", "ip", FIXTURE, ""]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("name of the output is empty")]);
  });
});

test.skipIf(!existsSync("/dev/full"))(
  "text that cannot be written is told (skipped without /dev/full)",
  () => {
    const { status, stderr } = spawnSync("sh", ["-c", `"${NODE}" "${CLI}" explain tcp > /dev/full`], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^wirelab: cannot write to standard output: ENOSPC/),
    ]);
  },
);
