/** Runs the README's example: it prints the output that the README shows, each time, and reports missing prerequisites. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasProgram } from "../helpers/captures/pcap.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const SCRIPT = fileURLToPath(new URL("../../examples/first-lab.sh", import.meta.url));

const isRunnable = ["bash", "curl", "jq"].every(hasProgram);

describe.skipIf(!isRunnable)("examples/first-lab.sh (skipped without curl or jq)", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "wirelab-first-lab-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (env: Record<string, string> = {}) =>
    spawnSync("/bin/bash", [SCRIPT], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, WIRELAB_URL: localStack().baseUrl, ...env },
    });

  test.each(["the first time", "a second time"])("prints the output of the README %s", () => {
    const [, shown = ""] = /```sh\nexamples\/first-lab\.sh\n```\n\n```\n(.*?)```/s.exec(README) ?? [];
    expect(shown).toContain("icmp_seq=");
    const { stdout, stderr } = run();
    expect(stderr).toBe("");
    // A prompt ends in a space, which editors remove at the end of a line.
    expect(stdout.replace(/ +$/gm, "").trim()).toBe(shown.trim());
    expect(statSync(join(folder, "first-lab.pcap")).size).toBeGreaterThan(24);
  });

  test("reports a service that is not running", () => {
    const { status, stderr } = run({ WIRELAB_URL: "http://127.0.0.1:9/v2" });
    expect(status).toBe(1);
    expect(stderr).toBe(
      "first-lab: no Wirelab service answers at http://127.0.0.1:9/v2. " +
        "Start it with 'npm start' in another terminal, or set WIRELAB_URL.\n",
    );
  });

  test("reports that jq is missing", () => {
    const curl = spawnSync("/bin/bash", ["-c", "command -v curl"], { encoding: "utf8" }).stdout.trim();
    symlinkSync(curl, join(folder, "curl"));
    const { status, stderr } = run({ PATH: folder });
    expect(status).toBe(1);
    expect(stderr).toBe("first-lab: jq is not installed. Install it, then run this script again.\n");
  });
});
