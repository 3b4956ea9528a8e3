/** The pages of devices name every property and every command. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HELP_PAGES } from "../../../packages/engine/devices/pc/commands/help-pages.ts";
import { SERVER_COMMANDS } from "../../../packages/engine/devices/server/commands.ts";
import { nodeSchemas } from "../../../packages/lab/file/schema.ts";

const FOLDER = new URL("../../../docs/devices/", import.meta.url);
const pages = Object.fromEntries(
  readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), "utf8")]),
);
/** What the pages of a device have in code: a router has several. */
const codeOf = (device: string): string =>
  Object.entries(pages)
    .filter(([name]) => name === `${device}.md` || name.startsWith(`${device}-`))
    .flatMap(([, text]) => text.match(/`[^`]+`|^```.*?^```/gms) ?? [])
    .join("\n");

const EVERYWHERE = ["type", "started"];

test.each(["pc", "switch", "hub", "router", "server", "nat", "cloud"] as const)(
  "the page of a %s has every field that it has in lab files",
  (kind) => {
    const code = codeOf(kind);
    const fields = Object.keys(nodeSchemas[kind].shape).filter((field) => !EVERYWHERE.includes(field));
    expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(code))).toEqual([]);
  },
);

test("the page of a PC has every command", () => {
  const code = codeOf("pc");
  const names = HELP_PAGES.map(({ topic }) => topic);
  const isThere = (name: string): boolean =>
    new RegExp(`[\`(]${name.replace("?", "\\?")}\\b|\`${name.replace("?", "\\?")}\``).test(code);
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});

test("the page of a server has every command", () => {
  const code = codeOf("server");
  expect(SERVER_COMMANDS.map(({ head }) => head).filter((head) => !code.includes(`\`${head}`))).toEqual([]);
});
