/**
 * The parts of pages that are made from sources. A part stands between `<!-- generated: NAME -->` and `<!-- end -->`; `node test/bench/docs.ts` writes
 * it, and test/unit/pages/generated.test.ts holds it.
 */
import { settingsTable, variablesTable } from "../../../infra/settings-table.ts";
import { report } from "../../bench/scale/report.ts";
import { roomsPicture } from "../rooms/picture.ts";
import { roomsTable } from "../rooms/table.ts";
import { modeCommands, routerCommands } from "./router-commands.ts";
import { keysTable, pcCommands, presetsTable, rolesTable, serverCommands } from "./tables.ts";

export const BLOCKS: Readonly<Record<string, () => string>> = {
  rooms: roomsTable,
  settings: settingsTable,
  variables: variablesTable,
  scale: report,
  presets: presetsTable,
  roles: rolesTable,
  keys: keysTable,
  "PC commands": pcCommands,
  "server commands": serverCommands,
  "router commands": routerCommands,
  "router configuration mode": () => modeCommands("config"),
  "router interface mode": () => modeCommands("interface"),
  "router route map mode": () => modeCommands("route-map"),
};

/** Files that are generated whole. */
export const FILES: Readonly<Record<string, () => string>> = {
  "docs/images/rooms.svg": roomsPicture,
};

const BLOCK = /<!-- generated: ([^>]*?) -->\n[\s\S]*?\n<!-- end -->/g;

/** @returns the page with its blocks as `make` writes them. */
export const withBlocks = (page: string, make: (name: string) => string): string =>
  page.replaceAll(BLOCK, (_, name: string) => `<!-- generated: ${name} -->\n\n${make(name)}\n\n<!-- end -->`);

/** @returns what people wrote. */
export const withoutBlocks = (page: string): string => page.replaceAll(BLOCK, "");

export const blocksOf = (page: string): readonly string[] =>
  [...page.matchAll(BLOCK)].map(([, name]) => name!);
