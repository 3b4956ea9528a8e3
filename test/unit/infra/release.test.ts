/** `npm run release`. */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { repository } from "../../../infra/package/repository.ts";
import { planRelease } from "../../../infra/release/plan.ts";
import { makeFolder } from "../wirelab/run-cli.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MANIFESTS = ["", "packages/engine/", "packages/lab/", "packages/linux/", "packages/wirelab/"].map(
  (folder) => `${folder}package.json`,
);

/** Returns a folder with the files that a release changes, and this changelog. */
function folderWith(changelog: string): string {
  const folder = makeFolder();
  for (const path of [...MANIFESTS, "package-lock.json"]) cpSync(join(ROOT, path), join(folder, path));
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  return folder;
}

describe("the plan of a release", () => {
  const { version, tag, files } = planRelease(
    folderWith("# Changelog\n\n## [7.8.9] - unreleased\n\n- New.\n\n## [0.1.0] - 2026-01-01\n"),
    "2030-04-05",
  );

  test("has the version of the changelog's heading, which gets the date below the next version", () => {
    expect([version, tag]).toEqual(["7.8.9", "v7.8.9"]);
    expect(files["CHANGELOG.md"]).toBe(
      "# Changelog\n\n## [7.9.0] - unreleased\n\n## [7.8.9] - 2030-04-05\n\n- New.\n\n## [0.1.0] - 2026-01-01\n",
    );
  });

  test("writes the version to each manifest, where workspaces name each other, and to the lock file", () => {
    expect(Object.keys(files).toSorted()).toEqual(
      ["CHANGELOG.md", ...MANIFESTS, "package-lock.json"].toSorted(),
    );
    for (const path of MANIFESTS) {
      const before = readFileSync(join(ROOT, path), "utf8");
      expect(files[path]).toBe(before.replaceAll(/("(?:version|@wirelab\/\w+)": )"[\d.]+"/g, '$1"7.8.9"'));
    }
    const { packages } = JSON.parse(files["package-lock.json"]!);
    expect(packages["packages/wirelab"]).toMatchObject({
      version: "7.8.9",
      dependencies: { "@wirelab/engine": "7.8.9", ws: expect.stringMatching(/^\^8/) },
    });
    expect(packages["node_modules/ws"].version).toMatch(/^8\./);
  });

  test("is refused without an unreleased version", () => {
    expect(() => planRelease(folderWith("## [0.1.0] - 2026-01-01\n"), "2030-04-05")).toThrow(
      "CHANGELOG.md has no heading `## [VERSION] - unreleased`",
    );
  });
});

test("a dry run prints the steps in order and changes no file", () => {
  const paths = [...MANIFESTS, "package-lock.json", "CHANGELOG.md"].map((path) => join(ROOT, path));
  const contents = () => paths.map((path) => readFileSync(path, "utf8"));
  const before = contents();
  const script = fileURLToPath(new URL("../../../infra/release/main.ts", import.meta.url));
  const printed = execFileSync(process.execPath, [script, "--dry-run"], { encoding: "utf8" });
  const steps = [...printed.matchAll(/^would (build|write|run): (\S+ [a-z]+|[\w./-]+)/gm)].map(
    ([, , step]) => step,
  );
  const { version } = planRelease(ROOT, "2030-04-05");
  expect(steps.slice(-10)).toEqual([
    `dist/wirelab-${version}.tgz`,
    `dist/wirelab-construct-${version}.tgz`,
    `dist/wirelab-${version}.sbom.json`,
    "dist/SHA256SUMS of",
    "git commit",
    "git tag",
    "git push",
    "npm publish",
    "npm publish",
    "gh release",
  ]);
  expect(contents()).toEqual(before);
});

test("the packages name the repository that a workflow runs in, and none elsewhere", () => {
  const env = { GITHUB_SERVER_URL: "https://git.example", GITHUB_REPOSITORY: "a/b" };
  expect(repository(env)).toEqual({ repository: { type: "git", url: "git+https://git.example/a/b.git" } });
  expect(repository({})).toEqual({});
});
