/** The option `--seconds` of commands that run in real time. */
import { CommandLineError } from "../command-line.ts";

/** @returns milliseconds. @throws CommandLineError */
export function readSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds > 0 && seconds <= 2_000_000) return seconds * 1_000;
  throw new CommandLineError(`--seconds is ${JSON.stringify(text)}, and must be a number of seconds over 0`);
}
