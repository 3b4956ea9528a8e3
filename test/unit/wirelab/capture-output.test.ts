import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openOutput } from "../../../packages/wirelab/capture-output.ts";
import { CLI, FIXTURE, makeFolder, NODE, runCli } from "./run-cli.ts";

const folder = makeFolder();

describe("the file that a command writes", () => {
  test("leaves no temporary file behind when a folder takes its name", async () => {
    const target = join(folder, "taken");
    const output = await openOutput(target, {} as never, { stdout: process.stdout });
    await output.write(new Uint8Array(3));
    mkdirSync(target);
    await expect(output.commit()).rejects.toThrow();
    await output.abandon();
    expect(readdirSync(folder)).toEqual(["taken"]);
  });

  test("may have a name of the maximum length", async () => {
    const name = "x".repeat(255);
    expect((await runCli(["match", "ip", FIXTURE, join(folder, name)])).code).toBe(0);
    expect(readdirSync(folder)).toContain(name);
  });

  test("is created at the target of a dangling symbolic link", async () => {
    const places = mkdtempSync(join(folder, "links-"));
    mkdirSync(join(places, "deep"));
    symlinkSync(join("deep", "second"), join(places, "first"));
    symlinkSync(join("..", "made"), join(places, "deep", "second"));
    expect((await runCli(["match", "icmp", FIXTURE, join(places, "first")])).code).toBe(0);
    expect(lstatSync(join(places, "first")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(places, "deep", "second")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(places, "made")).isFile()).toBe(true);
  });

  test("is rejected where a symbolic link leads into a folder that does not exist; the link stays", async () => {
    const link = join(mkdtempSync(join(folder, "links-")), "link");
    symlinkSync(join("missing", "out.pcap"), link);
    const { code, stderr } = await runCli(["match", "icmp", FIXTURE, link]);
    expect([code, stderr]).toEqual([1, `wirelab: cannot write ${link}: its folder does not exist\n`]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  test("is named in the error as the user wrote it if it cannot be created", async () => {
    const path = join(folder, "missing", "out.pcap");
    const { code, stderr } = await runCli(["match", "icmp", FIXTURE, path]);
    expect([code, stderr]).toEqual([1, `wirelab: cannot write ${path}: its folder does not exist\n`]);
    expect(await runCli(["match", "icmp", FIXTURE, folder])).toMatchObject({
      code: 1,
      stderr: `wirelab: cannot write ${folder}: it is a folder\n`,
    });
  });

  test.skipIf(!existsSync("/dev/full"))(
    "is named when its device is full (skipped without /dev/full)",
    async () => {
      expect(await runCli(["match", "icmp", FIXTURE, "/dev/full"])).toMatchObject({
        code: 1,
        stderr: "wirelab: cannot write /dev/full: no space is left on the device\n",
      });
    },
  );

  test("must have a name", async () => {
    const { code, stderr } = await runCli(["match", "ip", FIXTURE, ""]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("name of the output is empty")]);
  });
});

test.skipIf(!existsSync("/dev/full"))(
  "reports text that cannot be written (skipped without /dev/full)",
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
