/**
 * Parses tokens to a tree. The grammar is that of libpcap's pcap-filter(7), with its two surprises:
 *
 * - A bare id inherits the qualifiers before it, so after `and`, `or` or `not` a value may replace a test:
 *   `tcp port 80 or not 443`. Only the content of a parenthesis shows which of the two it is. Each parse function therefore
 *   takes a set of allowed shapes (a test, an id, or only a number) and returns the shape it found.
 * - A group of ids contains only ids: in `port 80 or (443 and tcp)` the `tcp` is rejected, as in libpcap.
 *
 *     expression  = test { (and | or) (test | id) }
 *     test        = not test | "(" expression ")" | qualifiers id | protocol | relation | ...
 *     id          = value | not id | number | "(" (value | number) { (and | or) id } ")"
 */
import { FilterSyntaxError } from "./errors.ts";
import type { Found } from "./found.ts";
import { asArithmetic, continueArithmetic, parseArithmetic, startsArithmetic } from "./parse-arithmetic.ts";
import { parseIdValue, parseQualifiers, parseTest, startsId } from "./parse-primitive.ts";
import type { ChainLink, Comparison, Expression, Id, Qualifiers } from "./syntax.ts";
import { TokenCursor } from "./token-cursor.ts";
import type { Token } from "./tokens.ts";

/** The shapes allowed here, besides a number, which always is. A test allows arithmetic, for comparisons. */
type Allowed = { readonly test: boolean; readonly id: boolean; readonly arithmetic: boolean };

const TEST_ONLY: Allowed = { test: true, id: false, arithmetic: true };
const ID_ONLY: Allowed = { test: false, id: true, arithmetic: false };
const TEST_OR_ID: Allowed = { test: true, id: true, arithmetic: true };

const COMPARISONS: ReadonlySet<string> = new Set([">", ">=", "=", "<=", "<", "!="]);

/** Returns the tree, null for an empty expression, which matches everything. Throws FilterSyntaxError. */
export function parse(expression: string): Expression | null {
  const cursor = new TokenCursor(expression);
  if (cursor.atEnd) return null;
  const { node } = parseChain(cursor, parseOperand(cursor, null, TEST_ONLY), TEST_OR_ID);
  if (!cursor.atEnd) cursor.fail(['"and"', '"or"', "the end of the expression"]);
  return node;
}

type FoundNode = Extract<Found, { node: Expression }>;

/** Parses all `and`s and `or`s after `first`; each bare id inherits the qualifiers of the operand before it. */
function parseChain(cursor: TokenCursor, first: FoundNode, allowed: Allowed): FoundNode {
  const rest: ChainLink[] = [];
  let last = first;
  for (;;) {
    const op = cursor.kind;
    if (op !== "and" && op !== "or") break;
    cursor.take();
    last = parseOperand(cursor, last.inherited, allowed);
    rest.push({ op, node: last.node });
  }
  if (rest.length === 0) return first;
  return { shape: "test", node: { kind: "chain", first: first.node, rest }, inherited: last.inherited };
}

/** Parses one operand of `and`, `or` or `not`, or the id after qualifiers. */
function parseOperand(cursor: TokenCursor, inherited: Qualifiers | null, allowed: Allowed): FoundNode {
  const start = cursor.token;
  const found = parseAny(cursor, inherited, allowed, allowed);
  if (found.shape === "arithmetic") return cursor.fail(["a comparison", "an arithmetic operator"]);
  if (found.shape !== "number") return found;
  if (!allowed.id) return cursor.fail(["a comparison", "an arithmetic operator"]);
  return idNode(cursor, start, { kind: "number", value: found.value }, inherited);
}

/** Parses any shape. `inParentheses` is the set of shapes allowed inside a parenthesis. */
function parseAny(
  cursor: TokenCursor,
  inherited: Qualifiers | null,
  allowed: Allowed,
  inParentheses: Allowed,
): Found {
  if (cursor.kind === "!" && (allowed.test || allowed.id)) return parseNot(cursor, inherited, allowed);
  if (allowed.id && startsId(cursor.kind)) {
    const start = cursor.token;
    return idNode(cursor, start, parseIdValue(cursor), inherited);
  }
  if (cursor.kind === "(") {
    const group = parseGroup(cursor, inherited, inParentheses);
    if (group.shape !== "number" && group.shape !== "arithmetic") return group;
    return allowed.arithmetic ? parseRelation(cursor, group, allowed) : group;
  }
  if (allowed.arithmetic && startsArithmetic(cursor)) return parseRelation(cursor, null, allowed);
  if (cursor.kind === "number") return takeNumber(cursor);
  if (allowed.test) return parseQualified(cursor);
  return cursor.fail([allowed.id ? "an address, a name or a number" : "a number"]);
}

function takeNumber(cursor: TokenCursor): Found {
  const token = cursor.take();
  return { shape: "number", value: token.value, token };
}

function parseNot(cursor: TokenCursor, inherited: Qualifiers | null, allowed: Allowed): FoundNode {
  cursor.take();
  const operand = cursor.nested(() => parseOperand(cursor, inherited, allowed));
  const shape = operand.shape === "test" ? "test" : "id";
  return { shape, node: { kind: "not", node: operand.node }, inherited: operand.inherited };
}

/** `qualifiers id`, or one of the tests that take no id. */
function parseQualified(cursor: TokenCursor): FoundNode {
  const qualifiers = parseQualifiers(cursor);
  if (qualifiers === null) return { shape: "test", node: parseTest(cursor), inherited: null };
  return { ...parseOperand(cursor, qualifiers, ID_ONLY), shape: "test" };
}

function idNode(cursor: TokenCursor, start: Token, id: Id, qualifiers: Qualifiers | null): FoundNode {
  const span = cursor.spanFrom(start);
  if (qualifiers === null) {
    const reason = `"${cursor.expression.slice(span.start, span.end)}" has no qualifier, and none before it to inherit`;
    const expected = ['a qualifier such as "host", "net" or "port"'];
    throw new FilterSyntaxError(cursor.expression, { code: "bpf.missing-qualifier", reason, span, expected });
  }
  return { shape: "id", node: { kind: "primitive", qualifiers, id, span }, inherited: qualifiers };
}

/** Parses a parenthesis; the result reports the shape of its content. */
function parseGroup(cursor: TokenCursor, inherited: Qualifiers | null, allowed: Allowed): Found {
  return cursor.nested(() => {
    const start = cursor.expect("(", '"("');
    // A list of ids cannot begin with another list, so a parenthesis here may contain only a test or a number.
    const first = parseAny(cursor, inherited, allowed, { ...allowed, id: false });
    const group = finishGroup(cursor, start, first, inherited, allowed);
    cursor.expect(")", '")"');
    return group;
  });
}

function finishGroup(
  cursor: TokenCursor,
  start: Token,
  first: Found,
  inherited: Qualifiers | null,
  allowed: Allowed,
): Found {
  const more = cursor.kind === "and" || cursor.kind === "or";
  switch (first.shape) {
    case "arithmetic":
      return first;
    case "number": {
      if (!more || !allowed.id) return first;
      const opener = idNode(cursor, start, { kind: "number", value: first.value }, inherited);
      return { ...parseChain(cursor, opener, ID_ONLY), shape: "group" };
    }
    case "id":
      return { ...parseChain(cursor, first, ID_ONLY), shape: "group" };
    default:
      return { ...parseChain(cursor, first, TEST_OR_ID), shape: "test", inherited };
  }
}

/** Parses arithmetic and the comparison after it, if any; `opening` is the result of a parenthesis already parsed. */
function parseRelation(cursor: TokenCursor, opening: Found | null, allowed: Allowed): Found {
  const start = cursor.token;
  const left = opening === null ? parseArithmetic(cursor) : continueArithmetic(cursor, opening);
  if (!allowed.test || !COMPARISONS.has(cursor.kind)) return left;
  const op = cursor.take().kind as Comparison;
  const right = asArithmetic(parseArithmetic(cursor));
  const span = cursor.spanFrom(start);
  const node: Expression = { kind: "relation", op, left: asArithmetic(left), right, span };
  return { shape: "test", node, inherited: null };
}
