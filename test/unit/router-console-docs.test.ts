/** docs/devices/router-console.md has every command that `help` prints, and those of configuration mode. */
import { readFileSync } from "node:fs";
import { parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { expect, test } from "vitest";
import { usageOf } from "../../packages/engine/devices/console/command.ts";
import { ROUTER_COMMANDS } from "../../packages/engine/devices/router/shell/commands.ts";
import { modeOf } from "../../packages/engine/devices/router/shell/configuration-mode.ts";

const PAGE = readFileSync(new URL("../../docs/devices/router-console.md", import.meta.url), "utf8");

const rows = PAGE.split("\n").flatMap(
  (line) => /^\| `([^`]+)` \|/.exec(line)?.[1]?.replaceAll("\\|", "|") ?? [],
);

test("has every command of the first prompt", () => {
  const usages = ROUTER_COMMANDS.flatMap((command) => (command.unlisted ? [] : [usageOf(command)]));
  expect(usages.filter((usage) => !rows.includes(usage))).toEqual([]);
});

test("has the commands that are in configuration mode alone", () => {
  const parsed = parseRouterProperties({ ports: [{ name: "a" }] });
  if (!parsed.ok) throw new Error("bad properties");
  const heads = new Set(ROUTER_COMMANDS.map(({ head }) => head));
  const modes = [{ kind: "config" }, { kind: "interface", name: "a" }] as const;
  const own = modes.flatMap((mode) => modeOf(parsed.config, mode).layers[0] ?? []);
  const missing = own.filter((command) => !heads.has(command.head) && !rows.includes(usageOf(command)));
  expect(missing.map(usageOf)).toEqual([]);
});

test("has no command that the router does not have", () => {
  const entry = { name: "a", seq: 1, action: "permit" };
  const parsed = parseRouterProperties({ ports: [{ name: "a" }], route_maps: [entry] });
  if (!parsed.ok) throw new Error("bad properties");
  const all = [
    ...ROUTER_COMMANDS,
    ...(
      [
        { kind: "config" },
        { kind: "interface", name: "a" },
        { kind: "route-map", name: "a", seq: 1 },
      ] as const
    ).flatMap((mode) => modeOf(parsed.config, mode).layers.flat()),
  ].map(usageOf);
  expect(rows.filter((row) => !all.includes(row))).toEqual([]);
});
