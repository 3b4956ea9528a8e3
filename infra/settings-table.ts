/** The tables of docs/settings.md. */
import { VARIABLES } from "./local/usage.ts";
import { type Described, describeDefault, SETTINGS } from "./settings.ts";

/** A row for each entry; neighbours with the same text share one. */
function tableOf(title: string, entries: Readonly<Record<string, Described>>): string {
  const rows: { keys: string[]; defaults: string[]; doc: string }[] = [];
  for (const [key, setting] of Object.entries(entries)) {
    const { doc } = setting;
    if (rows.at(-1)?.doc !== doc) rows.push({ keys: [], defaults: [], doc });
    rows.at(-1)!.keys.push(`\`${key}\``);
    rows.at(-1)!.defaults.push(describeDefault(setting));
  }
  const lines = rows.map(
    ({ keys, defaults, doc }) => `| ${keys.join(", ")} | ${joinDefaults(defaults)} | ${doc} |`,
  );
  return [`| ${title} | default | what it sets |`, "| --- | --- | --- |", ...lines].join("\n");
}

/** Settings that share a sentence for their default have it once. */
const joinDefaults = (defaults: readonly string[]): string =>
  (new Set(defaults).size === 1 && defaults[0]!.includes(" ") ? defaults.slice(0, 1) : defaults).join(", ");

export const settingsTable = (): string => tableOf("key", SETTINGS);
export const variablesTable = (): string => tableOf("variable", VARIABLES);
