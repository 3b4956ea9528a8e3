/** `set dump`: which packets the console shows, and how. */
import type { PcState } from "../state.ts";
import { keywordOf } from "./keyword.ts";

/** In the order in which they are listed. */
export const DUMP_FLAGS = ["mac", "raw", "detail", "all"] as const;

/** Flags add up. @returns what is printed. */
export function setDump(state: PcState, words: readonly string[]): string {
  if (words.length === 0) return "";
  const flags = words.map((word) => keywordOf(word, [...DUMP_FLAGS, "file", "off"]));
  if (flags.includes(undefined)) return "Invalid options\n";
  if (flags.includes("file")) return "There are no files of packets here: capture the PC's link instead\n";
  const { settings } = state;
  const before: readonly string[] = flags.includes("off") ? [] : settings.dump;
  settings.dump = DUMP_FLAGS.filter((flag) => before.includes(flag) || flags.includes(flag));
  return dumpText(state);
}

export const dumpText = ({ settings }: PcState): string =>
  `\ndump flags: ${settings.dump.join(" ") || "(none)"}\n`;
