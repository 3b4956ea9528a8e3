import { readFileSync } from "node:fs";
import { DIRECTION_FIELDS, type Fields, PRESETS } from "@wirelab/engine/link/impairments/index";
import { expect, test } from "vitest";

const PAGE = readFileSync(new URL("../../../../../docs/impairments.md", import.meta.url), "utf8");
const TABLE = PAGE.slice(PAGE.indexOf("## Parameters"), PAGE.indexOf("## Schedules"));

const namesOf = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) => [
    name,
    ...(field.kind === "group" ? namesOf(field.fields) : []),
  ]);

test("the page has every parameter", () => {
  const missing = namesOf(DIRECTION_FIELDS).filter((name) => !new RegExp(`[\`.]${name}[\`.]`).test(TABLE));
  expect(missing).toEqual([]);
});

test("the page has every preset", () => {
  for (const name of Object.keys(PRESETS)) expect(PAGE).toContain(`| \`${name}\` |`);
});
