/** The check of the Node.js that `npm start` and `npm test` run on. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const ROOT = new URL("../../../", import.meta.url);
const CHECK = fileURLToPath(new URL("infra/node-version.cjs", ROOT));
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirelab-node-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the check as if Node.js had this version. */
function check(version: string): { status: number | null; text: string } {
  const pretend = join(folder, `${version}.cjs`);
  writeFileSync(pretend, `Object.defineProperty(process, "version", { value: "${version}" });`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", pretend, CHECK], {
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
}

describe("an old Node.js", () => {
  test.each(["v16.20.2", "v20.20.2", "v22.17.1"])("%s is refused in one line with what to do", (version) => {
    const { status, text } = check(version);
    expect(status).toBe(1);
    expect(text).toBe(
      `Wirelab needs Node.js 22.18 or newer, but ${process.execPath} is ${version}. Install a newer one, ` +
        "or run npm ci without --ignore-scripts: it installs Node.js 24 for the scripts.\n",
    );
  });

  test("could read the check, which uses no syntax after 2015", () => {
    expect(read("infra/node-version.cjs") + read("packages/wirelab/node-version.cjs")).not.toMatch(
      /^import |\?\.|\?\?|\.\.\.|\basync\b/m,
    );
  });
});

test.each(["v22.18.0", "v24.0.0", "v26.1.0"])("Node.js %s passes without output", (version) => {
  expect(check(version)).toEqual({ status: 0, text: "" });
});

test("npm ci on Node.js 20 has no package to warn of: the scripts run on the Node.js that it installs", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { engines?: { node?: string } }>;
  };
  const newer = Object.entries(packages).filter(([, { engines }]) => {
    const majors = (engines?.node ?? "").split("||").map((range) => Number(/\d+/.exec(range)?.[0] ?? 0));
    return Math.min(...majors) > 20;
  });
  expect(newer).toEqual([]);
});

test("the README asks for the same version, and the scripts check it first", () => {
  const { scripts } = JSON.parse(read("package.json"));
  expect(read("README.md")).toContain("Node.js 22.18 or newer");
  for (const name of ["start", "test"]) expect(scripts[name]).toMatch(/^node infra\/node-version\.cjs && /);
});
