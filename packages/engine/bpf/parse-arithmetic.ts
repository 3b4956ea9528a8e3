/**
 * Parses arithmetic by operator precedence. `%` and `^` have none in libpcap's grammar, so its parser generator always
 * shifts: everything after them belongs to their right operand. `a * b % c + d` is `a * (b % (c + d))`.
 */
import type { Found } from "./found.ts";
import type { Arithmetic, BinaryOperator } from "./syntax.ts";
import type { TokenCursor } from "./token-cursor.ts";
import { isProtocol, type TokenKind } from "./tokens.ts";

const BINDING: ReadonlyMap<TokenKind, number> = new Map<TokenKind, number>([
  ["|", 1],
  ["&", 2],
  ["<<", 3],
  [">>", 3],
  ["+", 4],
  ["-", 4],
  ["*", 5],
  ["/", 5],
]);
const UNARY_BINDING = 6;
const GREEDY: ReadonlySet<TokenKind> = new Set<TokenKind>(["%", "^"]);

export function startsArithmetic(cursor: TokenCursor): boolean {
  const kind = cursor.kind;
  if (kind === "number" || kind === "len" || kind === "-") return true;
  return isProtocol(kind) && cursor.nextKind === "[";
}

/** Returns a number if only a number is found, otherwise arithmetic. */
export function parseArithmetic(cursor: TokenCursor): Found {
  return continueArithmetic(cursor, parseAtom(cursor));
}

/** The operators after `first`. */
export function continueArithmetic(cursor: TokenCursor, first: Found): Found {
  return parseOperators(cursor, first, 0);
}

function parseOperators(cursor: TokenCursor, first: Found, binding: number): Found {
  let left = first;
  for (;;) {
    const op = cursor.kind;
    const greedy = GREEDY.has(op);
    const opBinding = BINDING.get(op) ?? 0;
    if (!greedy && opBinding <= binding) return left;
    cursor.take();
    const right = cursor.nested(() => parseOperators(cursor, parseAtom(cursor), greedy ? 0 : opBinding));
    left = binary(op as BinaryOperator, asArithmetic(left), asArithmetic(right));
  }
}

function binary(op: BinaryOperator, left: Arithmetic, right: Arithmetic): Found {
  const span = { start: left.span.start, end: right.span.end };
  return { shape: "arithmetic", value: { kind: "binary", op, left, right, span } };
}

function parseAtom(cursor: TokenCursor): Found {
  const token = cursor.token;
  if (token.kind === "number") {
    cursor.take();
    return { shape: "number", value: token.value, token };
  }
  if (token.kind === "len") {
    return { shape: "arithmetic", value: { kind: "len", span: cursor.take() } };
  }
  if (token.kind === "-") return parseNegation(cursor);
  if (token.kind === "(") return parseParentheses(cursor);
  if (isProtocol(token.kind) && cursor.nextKind === "[") return parseLoad(cursor);
  return cursor.fail(["a number", '"len"', "a byte accessor such as ip[0]", '"("']);
}

/** Parses `( arithmetic )`; rejects tests and ids. */
function parseParentheses(cursor: TokenCursor): Found {
  return cursor.nested(() => {
    cursor.expect("(", '"("');
    if (cursor.kind !== "(" && !startsArithmetic(cursor)) return cursor.fail(["a number"]);
    const inner = parseArithmetic(cursor);
    cursor.expect(")", '")"');
    return inner;
  });
}

function parseNegation(cursor: TokenCursor): Found {
  const sign = cursor.take();
  const operand = cursor.nested(() => parseOperators(cursor, parseAtom(cursor), UNARY_BINDING));
  const value: Arithmetic = { kind: "negate", operand: asArithmetic(operand), span: cursor.spanFrom(sign) };
  return { shape: "arithmetic", value };
}

/** `protocol [ index ]` or `protocol [ index : size ]`. */
function parseLoad(cursor: TokenCursor): Found {
  const name = cursor.take();
  cursor.expect("[", '"["');
  const index = cursor.nested(() => parseArithmetic(cursor));
  const size = cursor.takeIf(":") ? cursor.expect("number", "a size of 1, 2 or 4").value : 1;
  cursor.expect("]", '"]"');
  if (!isProtocol(name.kind)) return cursor.fail(["a protocol"]);
  const span = cursor.spanFrom(name);
  return {
    shape: "arithmetic",
    value: { kind: "load", protocol: name.kind, index: asArithmetic(index), size, span },
  };
}

export function asArithmetic(found: Found): Arithmetic {
  if (found.shape === "arithmetic") return found.value;
  if (found.shape === "number") return { kind: "number", value: found.value, span: found.token };
  throw new TypeError(`${found.shape} is not arithmetic`);
}
