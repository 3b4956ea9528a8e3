/** docs/limits.md states the limits that the code has. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { GUEST_LIMITS, QUOTAS, RUN_LIMITS } from "../../functions/shared/edge/figures.ts";
import { runRequest } from "../../functions/shared/schemas/run.ts";
import { MAX_NEIGHBOURS, MAX_PREFIXES } from "../../packages/engine/routing/bgp/limits.ts";

const read = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
const LIMITS = read("limits");

/** @returns the cells of the only row of a table that has this text in it. */
function rowWith(page: string, text: string): string[] {
  const rows = page.split("\n").filter((line) => line.startsWith("|") && line.includes(text));
  expect(rows, text).toHaveLength(1);
  return rows[0]!
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const MEBIBYTE = 1_048_576;
const figure = (value: number): string => value.toLocaleString("en-US");

/** A value as the page may state it: as a number, as bytes, or as days. */
const spellings = (value: number): string[] => [
  figure(value),
  `${value / 1024 / MEBIBYTE} GiB`,
  `${value / MEBIBYTE} MiB`,
  `${value / 86_400} days`,
  `${value} days`,
];

test.each(Object.entries({ ...QUOTAS, ...RUN_LIMITS, ...GUEST_LIMITS }))(
  "%s has its default on the page",
  (name, value) => {
    const rows = LIMITS.split("\n").filter((line) => line.startsWith("|") && line.includes(`\`${name}\``));
    expect(rows, name).not.toEqual([]);
    for (const row of rows) {
      const [, stated] = row
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      const isStated = spellings(value).some((text) => new RegExp(`(^|and )${text}( of|$)`).test(stated!));
      expect(isStated, row).toBe(true);
    }
  },
);

/** Every figure of a keyword of JSON Schema, at any depth. */
function figuresOf(schema: unknown, keyword: string): number[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === keyword && typeof value === "number" ? [value] : figuresOf(value, keyword),
  );
}

describe("a run's request", () => {
  const { $defs } = z.toJSONSchema(runRequest, { io: "input" }) as unknown as {
    $defs: { RunRequest: { properties: Record<"consoles" | "actions", Record<string, unknown>> } };
  };
  const { consoles, actions } = $defs.RunRequest.properties;

  test("consoles, actions and the capture file in an action", () => {
    const [, stated] = rowWith(LIMITS, "| consoles and actions of a run");
    expect(consoles.maxItems).toBe(actions.maxItems);
    const [characters] = figuresOf(actions, "maxLength").toSorted((a, b) => b - a);
    expect(stated).toContain(`${figure(Number(actions.maxItems))} each`);
    expect(stated).toContain(`${figure(characters!)} characters of base64`);
  });

  test("| commands of a console", () => {
    const { items } = consoles as unknown as { items: { properties: { commands: Record<string, unknown> } } };
    const { maxItems, items: line } = items.properties.commands as {
      maxItems: number;
      items: { maxLength: number };
    };
    expect(rowWith(LIMITS, "| commands of a console")[1]).toBe(
      `${figure(maxItems)}, of ${figure(line.maxLength)} characters`,
    );
  });
});

test("BGP has its limits on the page", () => {
  expect(rowWith(LIMITS, "BGP of a router")[1]).toBe(
    `${MAX_NEIGHBOURS} neighbours, ${figure(MAX_PREFIXES)} prefixes`,
  );
});
