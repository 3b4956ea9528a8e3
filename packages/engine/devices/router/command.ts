/** A command of the console: returns the lines that it prints. */
import type { Parts } from "./parts.ts";

export type Command = (parts: Parts, args: readonly string[]) => readonly string[];
