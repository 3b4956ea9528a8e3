/** The types of the commands of a router's console. */
import type { CommandSpec } from "../../../console/command.ts";
import type { Parts } from "./parts.ts";

/** Returns the lines that it prints. */
export type Command = (parts: Parts, args: readonly string[]) => readonly string[];

/** Commands for the table of `commands.ts`; `console/command.ts` describes an entry. */
export type RouterCommands = readonly CommandSpec<Parts>[];

/** A function that gets the words of the head, too. */
export const withWords =
  <P>(
    run: (parts: P, args: readonly string[]) => readonly string[],
    ...words: readonly string[]
  ): ((parts: P, args: readonly string[]) => readonly string[]) =>
  (parts, args) =>
    run(parts, [...words, ...args]);
