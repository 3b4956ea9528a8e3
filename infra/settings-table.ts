/** `node infra/settings-table.ts` prints the table of docs/settings.md. */
import { SETTINGS } from "./settings.ts";

type Setting = (typeof SETTINGS)[keyof typeof SETTINGS];

/** A row for each setting; neighbours with the same text share one. */
export function settingsTable(): string {
  const rows: { keys: string[]; defaults: string[]; doc: string }[] = [];
  for (const [key, setting] of Object.entries<Setting>(SETTINGS)) {
    const last = rows.at(-1);
    if (last?.doc === setting.doc) {
      last.keys.push(`\`${key}\``);
      last.defaults.push(describeDefault(setting));
    } else rows.push({ keys: [`\`${key}\``], defaults: [describeDefault(setting)], doc: setting.doc });
  }
  const lines = rows.map(
    ({ keys, defaults, doc }) => `| ${keys.join(", ")} | ${joinDefaults(defaults)} | ${doc} |`,
  );
  return ["| key | default | what it sets |", "| --- | --- | --- |", ...lines].join("\n");
}

/** Settings that share a sentence for their default have it once. */
const joinDefaults = (defaults: readonly string[]): string =>
  (new Set(defaults).size === 1 && defaults[0]!.includes(" ") ? defaults.slice(0, 1) : defaults).join(", ");

function describeDefault({ stated, default: value }: Pick<Setting, "stated" | "default">): string {
  if (stated !== undefined) return stated;
  if (value === undefined) return "none";
  return typeof value === "number" ? value.toLocaleString("en-US") : `\`${value}\``;
}

if (import.meta.main) console.log(settingsTable());
