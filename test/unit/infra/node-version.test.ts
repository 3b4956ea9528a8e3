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

/** Runs the check as if Node.js and that of npm had these versions. */
function check(version: string, ofNpm?: string): { status: number | null; text: string } {
  const pretend = join(folder, `${version}.cjs`);
  writeFileSync(pretend, `Object.defineProperty(process, "version", { value: "${version}" });`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", pretend, CHECK], {
    env: ofNpm === undefined ? {} : { npm_config_user_agent: `npm/11.19.1 node/${ofNpm} linux x64` },
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
}

describe("an old Node.js", () => {
  test.each(["v16.20.2", "v20.20.2", "v22.17.1"])("%s is refused in one line with what to do", (version) => {
    const { status, text } = check(version, version);
    expect(status).toBe(1);
    expect(text).toBe(
      `Wirelab needs Node.js 22.18 or newer, but ${process.execPath} is ${version}. Install a newer one, ` +
        "or run npm ci without --ignore-scripts: it installs Node.js 24 for the scripts.\n",
    );
  });

  test("is named when it runs npm, while the scripts run on a newer one", () => {
    const { status, text } = check("v24.21.0", "v20.20.2");
    expect(status).toBe(0);
    expect(text).toMatch(
      /^npm runs on Node\.js v20\.20\.2, and Wirelab asks for 22\.18 or newer.*v24\.21\.0.*\n$/,
    );
  });

  test("could read the check, which uses no syntax after 2015", () => {
    expect(read("infra/node-version.cjs")).not.toMatch(/^import |\?\.|\?\?|\.\.\.|\basync\b/m);
  });
});

test.each([
  ["v22.18.0", undefined],
  ["v24.0.0", "v22.18.0"],
  ["v26.1.0", "v24.21.0"],
])("Node.js %s, with npm on %s, passes without output", (version, ofNpm) => {
  expect(check(version, ofNpm)).toEqual({ status: 0, text: "" });
});

test("package.json and the README ask for the same version, and the scripts check it first", () => {
  const { engines, scripts } = JSON.parse(read("package.json"));
  expect(engines.node).toBe(">=22.18");
  expect(read("README.md")).toContain("Node.js 22.18 or newer");
  for (const name of ["start", "test"]) expect(scripts[name]).toMatch(/^node infra\/node-version\.cjs && /);
});
