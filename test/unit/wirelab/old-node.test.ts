/** The entry file of the command on a Node.js that is too old, which has neither a cache of compiled code nor types. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLI } from "./run-cli.ts";

test.each(["v18.20.8", "v20.20.2", "v22.17.1"])("on Node.js %s says in one line what it needs", (version) => {
  const pretend = `import module from "node:module"; delete module.enableCompileCache; Object.defineProperty(process, "version", { value: "${version}" });`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", preload, CLI, "test"], {
    encoding: "utf8",
  });
  expect(stderr).toBe(
    `wirelab: needs Node.js 22.18 or newer, this is ${version}; install a newer one, or run it in a project with the npm package "node"\n`,
  );
  expect([status, stdout]).toEqual([2, ""]);
});

test("imports nothing but the check before it has passed", () => {
  const imports = [...readFileSync(CLI, "utf8").matchAll(/^import .* from "(.*)";$/gm)].map(
    ([, name]) => name,
  );
  expect(imports).toEqual(["node:module", "./node-version.cjs"]);
});
