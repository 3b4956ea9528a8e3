/** docs/limits.md and docs/settings.md state the limits that the code has. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { labLimits } from "../../functions/shared/run/limits.ts";
import { runRequest } from "../../functions/shared/schemas/run.ts";
import { quota } from "../../functions/shared/store/limits/quota.ts";

const read = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
const LIMITS = read("limits");
const SETTINGS = read("settings");

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
const bytes = (value: number): string =>
  value % (1024 * MEBIBYTE) === 0 ? `${value / 1024 / MEBIBYTE} GiB` : `${value / MEBIBYTE} MiB`;

describe("limits of a run", () => {
  const limits = labLimits();
  test.each([
    ["run_max_events", figure(limits.events)],
    ["run_max_packets", figure(limits.packets)],
    ["run_max_cpu_seconds", String(limits.cpuSeconds)],
    ["run_max_captured_bytes", bytes(limits.capturedBytes)],
    ["run_max_bytes_in_flight", bytes(limits.bytesInFlight)],
    ["run_max_output_characters", figure(limits.outputCharacters)],
    ["run_max_lab_seconds", `${limits.labSeconds / 86_400} days`],
  ])("%s is %s by default", (key, stated) => expect(rowWith(LIMITS, `\`${key}\``)[1]).toBe(stated));

  test("are the defaults of the settings", () => {
    const defaults = [...SETTINGS.matchAll(/^\| (`run_max_[^|]+) \| ([^|]+) \|/gm)].flatMap(
      ([, keys, values]) => {
        const figures = values!.split(", ").map((value) => Number(value.replaceAll(",", "")));
        return [...keys!.matchAll(/`run_max_(\w+)`/g)].map(([, key], index) => [key, figures[index]]);
      },
    );
    expect(Object.fromEntries(defaults)).toEqual({
      events: limits.events,
      packets: limits.packets,
      cpu_seconds: limits.cpuSeconds,
      captured_bytes: limits.capturedBytes,
      bytes_in_flight: limits.bytesInFlight,
      output_characters: limits.outputCharacters,
      lab_seconds: limits.labSeconds,
    });
  });
});

describe("quotas", () => {
  test.each([
    ["quota_nodes", figure(quota("node_count"))],
    ["quota_links", figure(quota("link_count"))],
    ["quota_captures", figure(quota("capture_count"))],
    ["quota_snapshots", figure(quota("snapshot_count"))],
    ["quota_drawings", figure(quota("drawing_count"))],
    ["quota_files", figure(quota("file_count"))],
    ["quota_stored_bytes", bytes(quota("stored_bytes"))],
    ["quota_user_stored_bytes", bytes(quota("user_stored_bytes"))],
    ["quota_projects", figure(quota("project_count"))],
    ["quota_templates", figure(quota("template_count"))],
    ["quota_symbols", figure(quota("symbol_count"))],
    ["quota_symbol_bytes", bytes(quota("symbol_bytes"))],
    ["quota_user_symbols", figure(quota("user_symbol_count"))],
    ["quota_user_symbol_bytes", bytes(quota("user_symbol_bytes"))],
    ["quota_followed_captures", String(quota("followed_captures"))],
    ["quota_followed_events", String(quota("followed_events"))],
    ["runs_per_minute", String(quota("runs_per_minute"))],
  ])("%s is %s by default", (key, stated) => expect(rowWith(LIMITS, `\`${key}\``)[1]).toBe(stated));
});

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
