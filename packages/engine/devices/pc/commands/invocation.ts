/** What a command is, and what it gets when it is called. */
import type { Host, Progress, Script } from "../host.ts";

export interface Invocation {
  readonly host: Host;
  /** Trimmed, as typed. */
  readonly line: string;
  /** The first one is the command's name, which may be a prefix of it. */
  readonly words: readonly string[];
  readonly shell: Shell;
  /** Of a line of the start-up script that an earlier run has cut off: how far it was. */
  readonly progress: Progress;
}

/** What runs the lines of a file. */
export interface Shell {
  /** Runs lines as if they were typed, as long as there are not too many. */
  runLines(text: string): Script;
}

interface Named {
  readonly name: string;
}

/** Takes no time. */
interface ImmediateCommand extends Named {
  /** Does it. @returns what it prints. */
  text(invocation: Invocation): string;
}

interface LastingCommand extends Named {
  /** Does it, and prints. */
  script(invocation: Invocation): Script;
}

export type Command = ImmediateCommand | LastingCommand;
