/** The `--filter` options of `wirelab link`, to what the engine takes. */

import type { PacketPredicate } from "../engine/bpf/index.ts";
import { type FilterProblem, type FilterSettings, parseFilterSettings } from "../engine/filters/index.ts";
import { CommandLineError } from "./command-line.ts";
import { DataError, ExpressionError } from "./failure.ts";
import { compileExpression, filterLinkType } from "./packet-filter.ts";

/** Filter types and their values as text, as a client of the service would send them. */
export type FilterTexts = Readonly<Record<string, readonly string[]>>;

export interface CompiledFilters {
  readonly settings: FilterSettings;
  readonly bpfPredicates: readonly PacketPredicate[];
}

/**
 *     ["delay=100,10", "bpf=icmp", "bpf=arp"]  ->  { delay: ["100", "10"], bpf: ["icmp\narp"] }
 *
 * Only `bpf` may come again. Throws a CommandLineError for what can be told to be wrong without a capture: all but the
 * expressions, whose meaning depends on the packets' link type.
 */
export function parseFilterOptions(options: readonly string[]): FilterTexts {
  const texts = new Map<string, string[]>();
  for (const option of options) {
    const equals = option.indexOf("=");
    if (equals < 1)
      throw new CommandLineError(`--filter ${option}: expected type=values, as in delay=100,10`);
    const type = option.slice(0, equals);
    const value = option.slice(equals + 1);
    const before = texts.get(type);
    if (type === "bpf") texts.set(type, [before === undefined ? value : `${before[0]}\n${value}`]);
    else if (before === undefined) texts.set(type, value.split(","));
    else throw new CommandLineError(`--filter ${type} is given twice`);
  }
  const given = Object.fromEntries(texts);
  const parsed = parseFilterSettings(given, { compileBpf: () => () => false });
  if (!parsed.ok) throw new CommandLineError(`--filter ${messagesOf(parsed.problems)}`);
  return given;
}

/** For packets of this link type. Throws an ExpressionError, or a DataError for packets that cannot be filtered. */
export function compileFilterOptions(texts: FilterTexts, linkType: number): CompiledFilters {
  const parsed = parseFilterSettings(texts, {
    compileBpf: (expression) => compileExpression(expression, filterLinkType(linkType)),
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
