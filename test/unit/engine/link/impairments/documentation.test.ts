import { readFileSync } from "node:fs";
import {
  DIRECTION_FIELDS,
  type Field,
  type Fields,
  PRESETS,
  parseImpairments,
} from "@wirelab/engine/link/impairments/index";
import { expect, test } from "vitest";

const PAGE = readFileSync(new URL("../../../../../docs/impairments.md", import.meta.url), "utf8");
const TABLE = PAGE.slice(PAGE.indexOf("## Parameters"), PAGE.indexOf("## Schedules"));
/** The cells of each row but the head. */
const ROWS = TABLE.split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** The parameters by their paths: `delay.jitter`. */
const leavesOf = (fields: Fields, prefix = ""): [path: string, field: Field][] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "group" ? leavesOf(field.fields, `${prefix}${name}.`) : [[prefix + name, field]],
  );
const LEAVES = leavesOf(DIRECTION_FIELDS);

/** The paths in a first cell: "`a.b`, `a.c`", or "`a` (`b`, `c`)" for the same. */
function pathsIn(cell: string): string[] {
  const [outer = "", inner] = cell.split("(");
  const names = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  const paths = names(outer);
  return inner === undefined ? paths : names(inner).map((name) => `${paths.at(-1)}.${name}`);
}

test("the table has each parameter that the parser knows, once, and no other", () => {
  const documented = ROWS.flatMap(([, cell]) => pathsIn(cell!));
  // The carrier is beside the directions.
  expect(documented.toSorted()).toEqual([...LEAVES.map(([path]) => path), "carrier"].toSorted());
  expect(parseImpairments({ carrier: "down" }).ok).toBe(true);
});

test("a row names the values among which a parameter chooses, and its default", () => {
  const choices = LEAVES.flatMap(([path, field]) => (field.kind === "choice" ? [{ path, field }] : []));
  expect(choices.length).toBeGreaterThan(3);
  for (const { path, field } of choices) {
    const [, , meaning, otherwise] = ROWS.find(([, cell]) => pathsIn(cell!).includes(path))!;
    for (const value of field.of) expect(meaning, path).toContain(`\`${value}\``);
    expect(otherwise, path).toBe(`\`${field.otherwise}\``);
  }
});

test("the page has every preset", () => {
  for (const name of Object.keys(PRESETS)) expect(PAGE).toContain(`| \`${name}\` |`);
});
