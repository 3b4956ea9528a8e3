/** The names `wirelab` and `wirelab-construct` in npm's registry are not this project's: nothing installs them by name. CONTRIBUTING.md */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = new URL("../..", import.meta.url).pathname;
const FILES = globSync(
  [
    "*.md",
    "*.yml",
    "docs/**/*.md",
    "examples/**/*.{md,yml,sh}",
    "stack/*.yml",
    ".github/workflows/*.yml",
    ".ci/run",
  ],
  { cwd: ROOT },
);
const BY_NAME =
  /\bnpm (?:install|i|add|exec)\b[^\n|;&`]*\swirelab(?:-construct)?(?=[\s@`"']|$)|\bnpx (?:--yes|-y|--package[= ]|-p)\b[^\n|;&`]*\bwirelab\b/;

describe("the names of the packages", () => {
  test.each(FILES)("%s installs none of them", (file) => {
    expect(readFileSync(join(ROOT, file), "utf8")).not.toMatch(BY_NAME);
  });

  test.each([
    "npm install wirelab",
    "npm i -D wirelab@latest",
    "npx --yes wirelab new",
    "npm install wirelab-construct constructs",
  ])("are found in `%s`", (command) => expect(command).toMatch(BY_NAME));

  test.each(["npm install wirelab-0.1.0.tgz", "npx wirelab test", "npm install --prefix dist/wirelab x.tgz"])(
    "are not found in `%s`",
    (command) => expect(command).not.toMatch(BY_NAME),
  );

  test("the action packs its own sources, or installs an archive, and refuses a name", () => {
    const { inputs, runs } = parse(readFileSync(join(ROOT, "action.yml"), "utf8"));
    expect(inputs.package.default).toBe("");
    const { run } = runs.steps.find(({ name }: { name?: string }) => name === "Install");
    expect(run).toMatch(/npm run pack --prefix "\$GITHUB_ACTION_PATH"/);
    expect(run).toMatch(/\*\.tgz\) ;;\n\s+\*\)\n[\s\S]*exit 2/);
  });
});
