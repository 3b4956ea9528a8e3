/** Finds the lines of a script that a PC would refuse. The PC runs the other lines, so an editor warns of them. */
import { commandsNamed } from "./commands/command-table.ts";
import { splitWords } from "./commands/split-words.ts";
import { isIgnored, withoutAt } from "./startup.ts";

export interface LineProblem {
  /** From 0. */
  readonly line: number;
  readonly message: string;
}

export const scriptProblems = (text: string): LineProblem[] =>
  text.split("\n").flatMap((each, line) => {
    const message = problemOf(each.trim());
    return message === undefined ? [] : [{ line, message }];
  });

function problemOf(line: string): string | undefined {
  const [name] = isIgnored(line) ? [] : splitWords(withoutAt(line));
  // A number chooses a PC of several.
  if (name === undefined || /^[1-9]$/.test(withoutAt(line))) return undefined;
  const found = commandsNamed(name);
  if (found.length === 0) return `${JSON.stringify(name.slice(0, 64))} is no command of a PC`;
  if (found.length === 1) return undefined;
  return `${JSON.stringify(name)} is short for ${found.map((command) => command.name).join(" and ")}`;
}
