/** Tables that are made of single sources: presets of impairments, routes with a role of their own, commands of consoles. */

import { PRESETS } from "@wirelab/engine/link/impairments/index";
import { GROUPS } from "../../../functions/routes.ts";
import type { Route } from "../../../functions/shared/edge/route.ts";
import { HELP_PAGES } from "../../../packages/engine/devices/pc/commands/help-pages.ts";
import { SERVER_COMMANDS } from "../../../packages/engine/devices/server/commands.ts";
import { KEY_LIST } from "../../../page/src/commands/table.ts";

export function presetsTable(): string {
  const rows = Object.entries(PRESETS).map(
    ([name, { about, source }]) => `| \`${name}\` | ${about} | ${source} |`,
  );
  return ["| preset | numbers | source |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The keys of the page. */
export function keysTable(): string {
  const rows = KEY_LIST.map(
    ({ keys, about }) => `| ${keys.map((key) => `\`${key}\``).join(", ")} | ${about} |`,
  );
  return ["| keys | |", "| --- | --- |", ...rows].join("\n");
}

/** Routes whose role does not follow from their method, a row for each role. */
export function rolesTable(): string {
  const routes = GROUPS.flatMap(({ routes }) => Object.values<Route>(routes)).filter(
    ({ role }) => role !== undefined,
  );
  const rows = [...Map.groupBy(routes, ({ role }) => role!)].map(([role, of]) => {
    const names = of.map(({ method, path }) => `\`${method} ${path}\``).join(", ");
    return `| ${names} | ${role === "public" ? "no credentials" : `\`${role}\``} |`;
  });
  return ["| route | takes |", "| --- | --- |", ...rows].join("\n");
}

/** @param rows of a command and what it does. */
const commandTable = (rows: readonly (readonly [string, string])[]): string =>
  [
    "| command | what it does |",
    "| --- | --- |",
    ...rows.map((row) => `| \`${row[0]}\` | ${row[1]} |`.replaceAll(/(?<=`[^`]*)\|(?=[^`]*` \|)/g, "\\|")),
  ].join("\n");

/** In `help`, `*keyword*` and `_PLACEHOLDER_` are marked. */
const withoutMarks = (text: string): string => text.replaceAll(/[*_]([^*_]+)[*_]/g, "$1");

export const pcCommands = (): string =>
  commandTable(
    HELP_PAGES.map(({ topic, syntax, summary, details }) => [
      withoutMarks(syntax).startsWith(topic) ? withoutMarks(syntax) : `${topic}, ${withoutMarks(syntax)}`,
      withoutMarks(summary ?? details.join(" ").split(". ")[0] ?? ""),
    ]),
  );

export const serverCommands = (): string =>
  commandTable(
    SERVER_COMMANDS.map(({ head, syntax = "", meaning }) => [`${head} ${syntax}`.trim(), meaning ?? ""]),
  );
