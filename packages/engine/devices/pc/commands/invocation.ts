/** The types of a command and of its call. */
import type { Host, Progress, Script } from "../host.ts";
import type { Notes } from "../notes.ts";

export interface Invocation {
  readonly host: Host;
  /** The typed line, trimmed. */
  readonly line: string;
  /** The first word is the command's name or a prefix of it. */
  readonly words: readonly string[];
  readonly shell: Shell;
  /** Where an earlier run cut off this line of the start-up script. */
  readonly progress: Progress;
  readonly notes: Notes;
}

/** Runs the lines of a file. */
export interface Shell {
  /** Runs lines as if they were typed, up to a limit per typed command. */
  runLines(text: string, notes: Notes): Script;
}

interface Named {
  readonly name: string;
}

/** A command that takes no virtual time. */
interface ImmediateCommand extends Named {
  /** Executes the command. @returns its console output. */
  text(invocation: Invocation): string;
}

interface LastingCommand extends Named {
  /** Executes the command and prints its output. */
  script(invocation: Invocation): Script;
}

export type Command = ImmediateCommand | LastingCommand;
