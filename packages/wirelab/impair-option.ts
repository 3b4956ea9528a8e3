/** The option `--impair` of `wirelab link`: the name of a preset, or JSON as the service takes it. */
import { type Impairments, parseImpairments } from "@wirelab/engine/link/impairments/index";
import type { CaptureInterface } from "@wirelab/engine/pcap/index";
import { CommandLineError } from "./command-line.ts";
import { compileExpression } from "./packet-filter.ts";

/** @throws CommandLineError for JSON that does not parse, and for wrong values, except in expressions. */
export function parseImpairOption(text: string): Readonly<Record<string, unknown>> {
  const settings = text.trimStart().startsWith("{") ? parseJson(text) : { preset: text };
  const parsed = parseImpairments(settings, { compileBpf: () => () => false });
  if (parsed.ok) return settings;
  throw new CommandLineError(`--impair: ${messageOf(parsed.problems)}`);
}

/** Compiles what `parseImpairOption` returned for packets of this interface. */
export function compileImpairments(
  settings: Readonly<Record<string, unknown>>,
  from: CaptureInterface,
): Impairments {
  const parsed = parseImpairments(settings, {
    compileBpf: (expression) => compileExpression(expression, from),
  });
  if (parsed.ok) return parsed.impairments;
  throw new CommandLineError(`--impair: ${messageOf(parsed.problems)}`);
}

function parseJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new CommandLineError(`--impair is not JSON: ${(error as Error).message}`);
  }
}

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const messageOf = (problems: readonly Problem[]): string =>
  problems.map(({ path, message }) => `${path.join(".")} ${message}`.trim()).join("; ");
