/**
 * The settings of a deployment in a file with types, `wirelab.config.ts` beside cdk.json:
 *
 *     import { defineConfig } from "./infra/config.ts";
 *     export default defineConfig({ auth: "iam", iam_role: "editor", quota_nodes: 200 });
 *
 * The context, `-c quota_nodes=300`, overrides the file.
 */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { refuseUnknown, Settings } from "./chosen-settings.ts";
import type { WirelabSettings } from "./settings.ts";

const CONFIG_FILE = new URL("../wirelab.config.ts", import.meta.url);

/** Returns its argument; an editor completes its keys and values. */
export const defineConfig = (settings: WirelabSettings): WirelabSettings => settings;

/**
 * Returns the settings of the file, overridden by those of the context.
 * @param context values of keys in the table: known-context.ts.
 * @param file may be missing.
 * @throws Error for a key or value of either that the table does not have.
 */
export async function settingsFrom(
  context: Readonly<Record<string, unknown>>,
  file = CONFIG_FILE,
): Promise<Settings> {
  const over = new Settings(context);
  return new Settings({ ...(await readConfig(file)).texts(), ...over.texts() });
}

async function readConfig(file: URL): Promise<Settings> {
  if (!existsSync(file)) return new Settings();
  const name = basename(fileURLToPath(file));
  const { default: given } = (await import(file.href)) as { default?: unknown };
  if (typeof given !== "object" || given === null)
    throw new Error(`${name} has no settings; it must have: export default defineConfig({ ... })`);
  refuseUnknown(Object.keys(given), (key) => `${name} has an unknown key ${key}`);
  return new Settings(given as Record<string, unknown>, `${name}: the key`);
}
