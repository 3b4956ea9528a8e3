/**
 * The only error this folder throws on purpose: libpcap would refuse the expression. The error has a place and a reason.
 * Lexer, parser and lowering throw it; `compileFilter` throws nothing else.
 */

export type FilterErrorCode =
  | "bpf.bad-address" // an address that is written wrong, or has host bits outside its mask
  | "bpf.bad-character" // a character that starts no token
  | "bpf.bad-number" // overflows 32 bits, is not octal, or is out of its field's range
  | "bpf.bad-qualifier" // a qualifier that cannot go with its protocol, address or direction
  | "bpf.division-by-zero" // a constant zero divisor, or a constant shift by more than 31 bits
  | "bpf.host-name" // would need DNS, which a pure engine does not have
  | "bpf.invalid-program" // compiles to a program that libpcap will not install
  | "bpf.missing-qualifier" // a bare value with no qualifier to inherit
  | "bpf.rejects-all" // can never match; libpcap refuses such a filter
  | "bpf.too-complex" // more registers, nesting or text than a program may have
  | "bpf.unexpected-token" // the grammar wanted something else here
  | "bpf.unknown-name" // a port, protocol, network or LLC name that is in no table
  | "bpf.unsupported"; // libpcap knows the word, but not for this link type or for saved packets

/** Where in the expression something stands: a half-open range of UTF-16 offsets. */
export type Span = { readonly start: number; readonly end: number };

/** What the throwing code supplies; line and column are computed from the expression. */
export type FilterProblem = {
  readonly code: FilterErrorCode;
  readonly reason: string;
  readonly span: Span;
  readonly expected?: readonly string[];
};

export class FilterSyntaxError extends Error {
  readonly code: FilterErrorCode;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  readonly span: Span;
  /** What the grammar allows here, each as a short phrase; empty if the problem is not one of grammar. */
  readonly expected: readonly string[];

  constructor(expression: string, problem: FilterProblem) {
    const { line, column } = positionOf(expression, problem.span.start);
    const expected = problem.expected ?? [];
    const wanted = expected.length > 0 ? `; expected ${joinAlternatives(expected)}` : "";
    super(`line ${line}, column ${column}: ${problem.reason}${wanted}`);
    this.name = "FilterSyntaxError";
    this.code = problem.code;
    this.line = line;
    this.column = column;
    this.span = problem.span;
    this.expected = expected;
  }
}

/** Lines end as they do in the text of a link's bpf filter. */
const LINE_BREAK = /\r\n|\n|\r/;

function positionOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(LINE_BREAK);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

function joinAlternatives(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} or ${items[items.length - 1]}`;
}
