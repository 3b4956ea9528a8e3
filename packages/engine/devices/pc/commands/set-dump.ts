/** `set dump`: which packets the console shows, and how. */
import type { PcState } from "../state.ts";
import { keywordOf } from "./keyword.ts";

/** In the order in which the console lists them. */
export const DUMP_FLAGS = ["mac", "raw", "detail", "all"] as const;

/**
 * Flags add up. `off` cancels the flags before it on the line, and clears all flags if none follows it.
 * @returns the output.
 */
export function setDump(state: PcState, words: readonly string[]): string {
  if (words.length === 0) return "";
  const flags = words.map((word) => keywordOf(word, [...DUMP_FLAGS, "file", "off"]));
  if (flags.includes(undefined)) return "Invalid options\n";
  if (flags.includes("file")) return "There are no files of packets here: capture the PC's link instead\n";
  const { settings } = state;
  const added = flags.slice(flags.lastIndexOf("off") + 1);
  const before: readonly string[] = added.length === 0 ? [] : settings.dump;
  settings.dump = DUMP_FLAGS.filter((flag) => before.includes(flag) || added.includes(flag));
  return dumpText(state);
}

export const dumpText = (state: PcState): string => `\ndump flags: ${dumpFlags(state)}\n`;

export const dumpFlags = ({ settings }: PcState): string => settings.dump.join(" ") || "(none)";
