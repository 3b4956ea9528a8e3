/** The packages' manifests name the packages that their modules import: npm installs no others for a user of one package. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url).pathname;
const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const IMPORTS = /\b(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g;

/** Returns the packages that the modules of a folder import, except Node's own. */
function importedBy(folder: string): string[] {
  const names = globSync(["**/*.ts", "**/*.js"], { cwd: join(ROOT, folder) }).flatMap((file) => {
    const text = readFileSync(join(ROOT, folder, file), "utf8").replaceAll(COMMENTS, "");
    return [...text.matchAll(IMPORTS)].map(([, from, bare]) => (from ?? bare)!);
  });
  const packages = names.filter((name) => !/^(\.|node:)/.test(name)).map(packageOf);
  return [...new Set(packages)].toSorted();
}

const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0];

describe.each(["packages/engine", "packages/wirelab"])("the manifest of %s", (folder) => {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
  } = readJson(`${folder}/package.json`) as {
    dependencies?: Record<string, string>;
    optionalDependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
  };

  test("has the packages that its modules import, and no others", () => {
    const named = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    expect(named.toSorted()).toEqual(importedBy(folder));
  });

  test("has the versions of the root's manifest, and those of the lock file", () => {
    const root = readJson("package.json").dependencies;
    for (const [name, range] of Object.entries(dependencies)) {
      const [, own] = /^@wirelab\/(.+)$/.exec(name) ?? [];
      expect(range, name).toBe(own ? readJson(`packages/${own}/package.json`).version : root[name]);
    }
    expect(readJson("package-lock.json").packages[folder].dependencies ?? {}).toEqual(dependencies);
    const locked = readJson("package-lock.json").packages[folder];
    expect(locked.optionalDependencies ?? {}).toEqual(optionalDependencies);
  });
});
