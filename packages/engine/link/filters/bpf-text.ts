/** The text of the bpf filter: one expression per line, blank lines ignored. The caller passes the compiler. */

import type { PacketPredicate } from "./link-filter.ts";

/** Maximum length of a link's bpf text, in UTF-16 code units. */
export const MAX_BPF_TEXT_CHARACTERS = 4096;

/** Compiles one line; for a bad one it throws an error with numeric `line` and `column` (from 1) and a `message`. */
export type BpfLineCompiler = (expression: string) => PacketPredicate;

/** Why a text is rejected, with the 1-based line and column in the text. */
export interface BpfTextProblem {
  reason: string;
  line?: number;
  column?: number;
}

/** The compiler's messages begin with a position within the single line it compiled. */
const PLACE_IN_LINE = /^line \d+, column \d+: /;

const LINE_BREAK = /\r\n|\n|\r/;

export interface CompiledBpfText {
  predicates: PacketPredicate[];
  problems: BpfTextProblem[];
}

/** Compiles every non-blank line and reports all that fail. Without a compiler, every text is rejected. */
export function compileBpfText(text: string, compileLine: BpfLineCompiler | undefined): CompiledBpfText {
  if (text.length > MAX_BPF_TEXT_CHARACTERS) {
    return refused(`must be at most ${MAX_BPF_TEXT_CHARACTERS} characters long, not ${text.length}`);
  }
  if (compileLine === undefined) return refused("cannot be set: bpf expressions are not supported yet");
  const predicates: PacketPredicate[] = [];
  const problems: BpfTextProblem[] = [];
  for (const [index, expression] of text.split(LINE_BREAK).entries()) {
    if (expression.trim() === "") continue;
    try {
      predicates.push(compileLine(expression));
    } catch (error) {
      problems.push(toProblem(error, index));
    }
  }
  return { predicates, problems };
}

function refused(reason: string): CompiledBpfText {
  return { predicates: [], problems: [{ reason }] };
}

/** Converts a compiler's error, with its line moved down by `linesBefore`; rethrows any other error. */
function toProblem(error: unknown, linesBefore: number): BpfTextProblem {
  if (!isSyntaxError(error)) throw error;
  const line = linesBefore + error.line;
  const reason = error.message.replace(PLACE_IN_LINE, "");
  return { reason: `at line ${line}, column ${error.column}: ${reason}`, line, column: error.column };
}

function isSyntaxError(error: unknown): error is { line: number; column: number; message: string } {
  if (!(error instanceof Error)) return false;
  const { line, column } = error as { line?: unknown; column?: unknown };
  return typeof line === "number" && typeof column === "number";
}
