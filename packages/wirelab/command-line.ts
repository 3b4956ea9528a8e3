/** The arguments and streams of a command. */

import type { Readable, Writable } from "node:stream";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { suggest } from "@wirelab/lab/file/suggest";

/** Standard input, output and error; `process` is one implementation. Read lazily, because Node opens them on first use. */
export interface Surroundings {
  readonly stdin: Readable & { readonly fd?: number };
  readonly stdout: Writable & { readonly fd?: number; readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** Loads the help of each command, by its name. */
export type LoadHelps = () => Promise<ReadonlyMap<string, string>>;

/** The path that means standard input or output. */
export const STANDARD_STREAM = "-";

/** Wrong usage of the command. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

interface Shape<Options extends ParseArgsOptionsConfig> {
  options: Options;
  /** Names of the positional arguments, as in the help; those in brackets are optional. */
  positionals: readonly string[];
}

/** Parses options and positional arguments. Throws a CommandLineError for any that the command does not have. */
export function parseCommandLine<const Options extends ParseArgsOptionsConfig>(
  args: string[],
  { options, positionals: names }: Shape<Options>,
) {
  const parsed = parseOptions(args, options);
  const required = names.filter((name) => !name.startsWith("["));
  const { positionals } = parsed;
  const missing = required[positionals.length];
  if (missing !== undefined) throw new CommandLineError(`${missing} is missing: expected ${names.join(" ")}`);
  const surplus = positionals[names.length];
  if (surplus !== undefined) {
    const hint = names[0] === "EXPR" ? "; an expression of several words takes quotes" : "";
    throw new CommandLineError(
      `unexpected argument ${JSON.stringify(surplus)}: expected ${names.join(" ")}${hint}`,
    );
  }
  return parsed;
}

/** Parses options, and positional arguments of any number. Throws a CommandLineError for an option that does not exist. */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (error) {
    if (error instanceof TypeError && "code" in error) {
      throw new CommandLineError(describeOptionError(error.message, Object.keys(options)));
    }
    throw error;
  }
}

/** Replaces Node's messages, whose advice on "--" is wrong for options that do not exist. */
function describeOptionError(message: string, known: readonly string[]): string {
  const option = /'(--?[^' ]+)/.exec(message)?.[1] ?? "an option";
  if (message.startsWith("Unknown option")) {
    const names = known.map((name) => `--${name}`);
    return `unknown option ${option}.${suggest(option, names) || " There are none but --help."}`;
  }
  if (message.includes("does not take an argument")) return `${option} takes no value`;
  return `${option} needs a value`;
}
