/** docs/dependencies.md names every package of the manifest, and no packages that are gone. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read("package.json"));
const PAGE = read("docs/dependencies.md");
const isNamed = (name: string): boolean =>
  PAGE.includes(`\`${name}\``) || (name.startsWith("@types/") && PAGE.includes("`@types/*`"));

test("every dependency is on the page", () => {
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  expect(names.filter((name) => !name.startsWith("@wirelab/") && !isNamed(name))).toEqual([]);
});

test("the table has run-time dependencies alone", () => {
  const rows = [...PAGE.matchAll(/^\| (`.+?`) \| /gm)].flatMap(([, cell]) => cell!.split(", "));
  expect(rows.map((name) => name.replaceAll("`", "")).filter((name) => !(name in dependencies))).toEqual([]);
});
