/** What is known of a node type stands in its module: few files of the engine and of the functions ask for a type by its name. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KINDS } from "@wirelab/engine/devices/kinds";
import { expect, test } from "vitest";

const ROOT = new URL("../..", import.meta.url).pathname;
/** The modules of the types, and real emulators of the same names. */
const MODULES =
  /^(packages\/engine\/devices\/\w+\/|functions\/shared\/node\/types\/|functions\/shared\/compute\/)/;
const FILES = globSync(["functions/**/*.ts", "packages/engine/**/*.ts"], {
  cwd: ROOT,
  exclude: ["**/node_modules/**"],
}).filter((file) => !MODULES.test(file));

const ASKS = new RegExp(`type\\)? [!=]== "(?:${KINDS.map(({ type }) => type).join("|")})"`);

/** Files that may ask, and what they have of the type. */
const MAY_ASK: Readonly<Record<string, string>> = {
  "functions/archives/import-project.ts": "the state of switches alone is imported",
  "functions/archives/import-state.ts": "the state of switches alone is imported",
  "functions/nodes/startup.ts": "the route of a PC's script",
  "functions/shared/lab-copy/copy-guests.ts": "its room does not import the engine",
  "functions/shared/lab-file/lab-guests.ts": "images, which the spec of a Linux node names",
  "functions/shared/run/device-files.ts": "the formats of saved files",
  "functions/shared/run/lab-items.ts": "the spec of a Linux node gets its guest",
  "functions/shared/run/move-and-start.ts": "a moved PC takes its saved script along",
  "functions/shared/schemas/template.ts": "clients cannot create templates of NAT nodes",
  "functions/shared/store/contents/import-project.ts": "its room does not import the engine",
  "packages/engine/devices/assist-console.ts": "consoles without a run",
  "packages/engine/devices/console-view.ts": "consoles without a run",
};

test("a property of a node type is a row of its module, not a branch elsewhere", () => {
  const asking = FILES.filter((file) => ASKS.test(readFileSync(join(ROOT, file), "utf8")));
  expect(asking.toSorted()).toEqual(Object.keys(MAY_ASK));
});
