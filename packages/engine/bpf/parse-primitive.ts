/** The leaves of the grammar: qualifiers, the values that may follow them, and the tests that take no id. */
import type { AddressType, Direction, Expression, Id, Qualifiers } from "./syntax.ts";
import type { TokenCursor } from "./token-cursor.ts";
import { isProtocol, type Protocol, type TokenKind } from "./tokens.ts";

const QUALIFIER_STARTS: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ...(["src", "dst", "host", "net", "port", "portrange"] as const),
  ...(["proto", "protochain", "gateway"] as const),
]);

const ID_STARTS: ReadonlySet<TokenKind> = new Set<TokenKind>(["name", "ipv4", "ipv6", "mac", "arcnet"]);

/** Returns true for a token that can only start an id; a number or a parenthesis may start other things too. */
export function startsId(kind: TokenKind): boolean {
  return ID_STARTS.has(kind);
}

/** Parses the qualifiers before an id; returns null and consumes nothing if none start here. */
export function parseQualifiers(cursor: TokenCursor): Qualifiers | null {
  let protocol: Protocol | null = null;
  if (isProtocol(cursor.kind)) {
    if (!QUALIFIER_STARTS.has(cursor.nextKind)) return null;
    protocol = cursor.kind;
    cursor.take();
  }
  if (!QUALIFIER_STARTS.has(cursor.kind)) return null;
  const direction = parseDirection(cursor);
  return { protocol, direction, type: parseType(cursor, direction) };
}

function parseDirection(cursor: TokenCursor): Direction | null {
  const first = cursor.kind;
  if (first !== "src" && first !== "dst") return null;
  cursor.take();
  const joint = cursor.token.kind;
  if (joint !== "or" && joint !== "and") return first;
  cursor.take();
  const second = first === "src" ? "dst" : "src";
  cursor.expect(second, `"${second}"`);
  return `src ${joint} dst`;
}

/** `proto`, `protochain` and `gateway` take no direction. */
function parseType(cursor: TokenCursor, direction: Direction | null): AddressType {
  switch (cursor.kind) {
    case "host":
    case "net":
    case "port":
    case "portrange":
      return cursor.take().kind as AddressType;
    case "proto":
    case "protochain":
    case "gateway":
      if (direction !== null) return cursor.fail(['"host"', '"net"', '"port"', '"portrange"', "an address"]);
      return cursor.take().kind as AddressType;
    default:
      return "default";
  }
}

/** Parses an id's value: an address with its prefix length or mask, or a name. */
export function parseIdValue(cursor: TokenCursor): Id {
  const { kind, text } = cursor.take();
  if (kind === "ipv4" && cursor.takeIf("mask")) {
    return { kind: "ipv4-mask", text, mask: cursor.expect("ipv4", "a dotted network mask").text };
  }
  if ((kind === "ipv4" || kind === "ipv6") && cursor.takeIf("/")) {
    return { kind: `${kind}-prefix`, text, length: cursor.expect("number", "a prefix length").value };
  }
  return { kind: kind as "name" | "ipv4" | "ipv6" | "mac" | "arcnet", text };
}

/** A test that takes no qualified id. */
export function parseTest(cursor: TokenCursor): Expression {
  const start = cursor.token;
  if (isProtocol(start.kind)) return parseProtocolTest(cursor, start.kind);
  switch (start.kind) {
    case "broadcast":
    case "multicast":
      cursor.take();
      return { kind: start.kind, protocol: null, span: start };
    case "less":
    case "greater": {
      cursor.take();
      const { value } = cursor.expect("number", "a length in bytes");
      return { kind: start.kind, value, span: cursor.spanFrom(start) };
    }
    case "byte":
      return parseByte(cursor);
    case "vlan":
    case "mpls":
    case "pppoes":
    case "geneve": {
      cursor.take();
      const number = parseOptionalNumber(cursor);
      return { kind: "encapsulation", layer: start.kind, number, span: cursor.spanFrom(start) };
    }
    case "pppoed":
      return { kind: "pppoed", span: cursor.take() };
    case "llc":
      return parseLlc(cursor);
    case "inbound":
    case "outbound":
      return { kind: start.kind, span: cursor.take() };
    case "ifindex": {
      cursor.take();
      const index = cursor.expect("number", "the number of an interface").value;
      return { kind: "ifindex", index, span: cursor.spanFrom(start) };
    }
    default:
      return cursor.fail(["a protocol", "a qualifier", "a comparison", '"not"', '"("']);
  }
}

function parseProtocolTest(cursor: TokenCursor, protocol: Protocol): Expression {
  const start = cursor.take();
  const { kind } = cursor;
  if (kind !== "broadcast" && kind !== "multicast") return { kind: "protocol", protocol, span: start };
  cursor.take();
  return { kind, protocol, span: cursor.spanFrom(start) };
}

/** Parses `byte INDEX OP VALUE`, an old form of `ether[INDEX] OP VALUE`. */
function parseByte(cursor: TokenCursor): Expression {
  const start = cursor.take();
  const index = cursor.expect("number", "a byte offset").value;
  const op = cursor.kind;
  if (op !== "&" && op !== "|" && op !== "<" && op !== ">" && op !== "=") {
    return cursor.fail(['"&"', '"|"', '"<"', '">"', '"="']);
  }
  cursor.take();
  const { value } = cursor.expect("number", "a byte value");
  return { kind: "byte", index, op, value, span: cursor.spanFrom(start) };
}

/** A number, possibly in parentheses: `vlan (100)`. */
function parseOptionalNumber(cursor: TokenCursor): number | null {
  if (cursor.kind !== "number" && cursor.kind !== "(") return null;
  let open = 0;
  while (cursor.takeIf("(")) open += 1;
  const { value } = cursor.expect("number", "a number");
  for (; open > 0; open -= 1) cursor.expect(")", '")"');
  return value;
}

function parseLlc(cursor: TokenCursor): Expression {
  const start = cursor.take();
  // "rnr" is also a PF log word, so it has its own token kind.
  const type = cursor.takeIf("rulenum") ? "rnr" : (cursor.takeIf("name")?.text ?? null);
  return { kind: "llc", type, span: cursor.spanFrom(start) };
}
