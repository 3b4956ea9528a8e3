/** Converts the `--filter` options of `wirelab link` to the engine's settings. */

import type { PacketPredicate } from "@wirelab/engine/bpf/index";
import {
  FILTER_DESCRIPTORS,
  type FilterProblem,
  type FilterSettings,
  parseFilterSettings,
} from "@wirelab/engine/link/filters/index";
import type { CaptureInterface } from "@wirelab/engine/pcap/index";
import { CommandLineError } from "./command-line.ts";
import { DataError, ExpressionError } from "./failure.ts";
import { compileExpression } from "./packet-filter.ts";

/** Filter types and their values as text, in the form of the HTTP interface. */
export type FilterTexts = Readonly<Record<string, readonly string[]>>;

export interface CompiledFilters {
  readonly settings: FilterSettings;
  readonly bpfPredicates: readonly PacketPredicate[];
}

const TYPES = FILTER_DESCRIPTORS.map(({ type }) => type).join(", ");

/**
 *     ["delay=100,10", "bpf=icmp", "bpf=arp"]  ->  { delay: ["100", "10"], bpf: ["icmp\narp"] }
 *
 * Only `bpf` may be repeated. Throws a CommandLineError for every problem except in expressions, which cannot be compiled
 * before the packets' link type is known.
 */
export function parseFilterOptions(options: readonly string[]): FilterTexts {
  const texts = new Map<string, string[]>();
  for (const option of options) {
    const equals = option.indexOf("=");
    if (equals < 1)
      throw new CommandLineError(
        `--filter ${option}: expected TYPE=VALUES, as in delay=100,10; the types are ${TYPES}`,
      );
    const type = option.slice(0, equals);
    const value = option.slice(equals + 1);
    const before = texts.get(type);
    if (type === "bpf") texts.set(type, [before === undefined ? value : `${before[0]}\n${value}`]);
    else if (before === undefined) texts.set(type, value.split(","));
    else throw new CommandLineError(`--filter ${type} is given twice`);
  }
  const given = Object.fromEntries(texts);
  const parsed = parseFilterSettings(given, { compileBpf: () => () => false });
  if (!parsed.ok) throw new CommandLineError(`--filter: ${messagesOf(parsed.problems)}`);
  return given;
}

/** Compiles the filters for packets of this interface. Throws an ExpressionError. */
export function compileFilterOptions(texts: FilterTexts, from: CaptureInterface): CompiledFilters {
  const parsed = parseFilterSettings(texts, {
    compileBpf: (expression) => compileExpression(expression, from),
  });
  if (parsed.ok) return parsed;
  const problem = parsed.problems.find(({ line }) => line !== undefined);
  if (problem === undefined) throw new DataError(messagesOf(parsed.problems));
  const { message, line = 1, column = 1 } = problem;
  throw new ExpressionError(texts.bpf![0]!, { message, line, column });
}

function messagesOf(problems: readonly FilterProblem[]): string {
  return problems.map(({ message }) => message).join("; ");
}
