import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdDataFolder } from "../../../../infra/local/data-folder.ts";

const MAIN = fileURLToPath(new URL("../../../../infra/local/main.ts", import.meta.url));

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "wirelab-main-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const STARTED_AFTER_ALL_MS = 40_000;

/** Runs main.ts; only where the service does not start. */
function run(env: Record<string, string>, args: readonly string[] = []) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...process.env, WIRELAB_DATA: dataDir, ...env },
    encoding: "utf8",
    // A start that succeeds would run for ever.
    timeout: STARTED_AFTER_ALL_MS,
  });
  return { status, text: stdout + stderr };
}

describe("npm start", () => {
  it("rejects a weak first password, and does not print it", () => {
    const { status, text } = run({ WIRELAB_AUTH: "basic", WIRELAB_ADMIN_PASSWORD: "hunter2" });
    expect(status).toBe(1);
    expect(text).toBe("WIRELAB_ADMIN_PASSWORD has to have at least 12 characters.\n");
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it("reports a taken port and how to choose another one", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;

    const { status, text } = run({ PORT: String(port) });

    expect(status).toBe(1);
    expect(text).toBe(`Port ${port} is taken by another program. Choose another one: PORT=3081 npm start\n`);
    expect(readdirSync(dataDir)).toEqual([]);
    other.close();
  });

  it("reports the process that has locked the data folder, and how to choose another one", () => {
    const release = holdDataFolder(dataDir);

    const { status, text } = run({ PORT: "0" });

    expect(status).toBe(1);
    expect(text).toContain(`${dataDir} is in use by another instance (process ${process.pid}).`);
    expect(text).toContain("WIRELAB_DATA=<folder> npm start");
    release();
  });

  it.each(["http", "-1", "65536", " "])("rejects %j as a port", (PORT) => {
    const { status, text } = run({ PORT });

    expect(status).toBe(1);
    expect(text).toContain(`PORT is ${JSON.stringify(PORT)}`);
  });

  it("does not listen where other machines reach it without authentication", () => {
    const { status, text } = run({ PORT: "0", HOST: "0.0.0.0" });

    expect(status).toBe(1);
    expect(text).toContain("HOST is 0.0.0.0, where other machines reach the service");
    expect(text).toContain("Set WIRELAB_AUTH=basic, or leave HOST out.");
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each([
    [{ WIRELAB_DATA: "/proc/wirelab" }, "/proc/wirelab cannot be created (ENOENT): choose another folder: "],
    [{ WIRELAB_DATA: MAIN }, `${MAIN} is a file, or in one, where a folder is needed: `],
    [{ AWS_ENDPOINT_URL_S3: "http://127.0.0.1:1" }, "No S3 accepts connections at http://127.0.0.1:1 "],
  ])("fails with %j in one line, without a stack trace", (env, begin) => {
    const { status, text } = run({ PORT: "0", ...env });

    expect(status).toBe(1);
    expect(text.startsWith(begin), text).toBe(true);
    expect(text.trimEnd().split("\n")).toHaveLength(1);
  });

  it("prints its usage, and rejects an unknown argument", () => {
    // A port that is rejected: without its arguments the command would end, too.
    const help = run({ PORT: "http" }, ["--help"]);
    expect(help).toEqual({ status: 0, text: expect.stringMatching(/^Usage: .*WIRELAB_DATA/s) });
    expect(run({ PORT: "http" }, ["8080"])).toEqual({ status: 2, text: expect.stringContaining('"8080"') });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it("rejects an unknown WIRELAB_AUTH", () => {
    const { status, text } = run({ PORT: "0", WIRELAB_AUTH: "Basic" });

    expect(status).toBe(1);
    expect(text).toContain('WIRELAB_AUTH is "Basic", and must be basic or none.');
  });
});
