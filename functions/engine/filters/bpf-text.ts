/** The text of the bpf filter: one expression per line, blank lines ignored. The compiler is handed in. */

import type { PacketPredicate } from "./link-filter.ts";

/** Longest bpf text a link takes, in UTF-16 code units. */
export const MAX_BPF_TEXT_CHARACTERS = 4096;

/** Compiles one line; for a bad one it throws an error with numeric `line` and `column` (from 1) and a `message`. */
export type BpfLineCompiler = (expression: string) => PacketPredicate;

/** Why a text is refused, and where: line and column in the text, from 1. */
export interface BpfTextProblem {
  reason: string;
  line?: number;
  column?: number;
}

/** The compiler tells the place in the one line it was given. */
const PLACE_IN_LINE = /^line \d+, column \d+: /;

const LINE_BREAK = /\r\n|\n|\r/;

export interface CompiledBpfText {
  predicates: PacketPredicate[];
  problems: BpfTextProblem[];
}

/** Compiles every line of a text that is not blank, and reports all that fail. Without a compiler any text is refused. */
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

/** A compiler's error, placed in the text `linesBefore` lines further down; any other error goes on up. */
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
