/**
 * The commands of a console, as data: one table serves parsing, `help`, `?` and completion.
 *
 * To add a command, add an entry to a table (`ROUTER_COMMANDS` in `router/commands.ts`, or the list of a service such as
 * `RIP_COMMANDS`). Nothing else is needed:
 *
 *     { head: "show vrrp", meaning: "virtual routers, and their masters", run: showVrrp }
 *     { head: "mtu", syntax: "PORT BYTES", meaning: "set the largest IP packet of a port", run: mtuCommand, checksWords: true }
 *
 * `head` and `syntax` together are the line's form: words in lower case are keywords, words in capitals are values, `a|b` is one word of
 * several, `[...]` may be missing, and `...` after a value or a bracket allows to repeat it. Options that follow each other and begin
 * with a keyword may come in any order.
 *
 * Keywords may be abbreviated; `run` gets the words after the head, with whole keywords. New kinds of values and keywords that are not the
 * last word of a head need a short description in `router/shell/words.ts` or `value-kinds.ts`; a test lists the missing ones.
 */

/** A command that takes time. */
export interface Running {
  start(): void;
  /** Ends the command early and prints its summary. */
  stop(): void;
  /** Returns where the command is. Absent for commands that cannot be saved while they run. */
  freeze?(): unknown;
  /** Continues in place of `start`. */
  thaw?(held: unknown): void;
}

/** @returns the command, which calls `done` at its end, or an error in its arguments as text. */
export type Begin<T> = (target: T, args: readonly string[], done: () => void) => Running | string;

interface Form {
  /** The leading keywords, which the command does not receive. */
  readonly head: string;
  /** What follows the head; nothing if absent. */
  readonly syntax?: string;
  /** What `help` prints in place of head and syntax. */
  readonly usage?: string;
  /** One phrase. */
  readonly meaning: string;
  /** The command gets lines that begin with its head and have another form, too, and reports what is wrong with them. */
  readonly checksWords?: true;
  /** `help` does not print the command: the one that it takes back says so. */
  readonly unlisted?: true;
  /** Descriptions of words, in place of those that all commands share. */
  readonly words?: Readonly<Record<string, string>>;
}

/** A command that takes no time, and returns the lines that it prints. */
export interface ImmediateCommand<T> extends Form {
  readonly run: (target: T, args: readonly string[]) => readonly string[];
}

export interface TimedCommand<T> extends Form {
  readonly begin: Begin<T>;
}

export type CommandSpec<T> = ImmediateCommand<T> | TimedCommand<T>;

/** What `help` prints for a command. */
export const usageOf = <T>({ head, syntax, usage }: CommandSpec<T>): string =>
  usage ?? (syntax === undefined ? head : `${head} ${syntax}`);

/** The list that `help` prints. */
export const helpLines = <T>(commands: readonly CommandSpec<T>[]): readonly string[] =>
  commands.flatMap((command) => (command.unlisted ? [] : [usageOf(command), `    ${command.meaning}`]));
