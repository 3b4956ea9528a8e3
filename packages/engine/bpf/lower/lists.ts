/**
 * Long lists: `port 1 or port 2 or ...`, and their negations, `not port 1 and not port 2 and ...`. libpcap makes each port a
 * separate test, beginning with the EtherType, and its optimiser merges the common parts; for hundreds of ports that takes
 * seconds. Here the common parts are tested once. The verdict is the same, unless a frame is truncated within the tested headers.
 * In a long list of protocol words, each word is also tested once.
 */
import { anyOf, not, type Test } from "../flow.ts";
import type { Chain, Expression, Ipv4Id, Primitive } from "../syntax.ts";
import type { Protocol } from "../tokens.ts";
import type { LoweringContext } from "./context.ts";
import { isOneOfIpv4Hosts } from "./hosts.ts";
import { isInOneOfPortRanges, isOneOfPorts } from "./ports.ts";
import { isNumericRange, portTransport, requirePort, resolveIpv4, resolveNumericRange } from "./primitive.ts";
import { isProtocolWord } from "./protocols.ts";

/** Shorter lists compile to exactly libpcap's program. */
const LONG_LIST = 17;

type PortNumber = Primitive & { readonly id: { readonly kind: "number"; readonly value: number } };
type PortRangeName = Primitive & { readonly id: { readonly kind: "name"; readonly text: string } };
type Address = Primitive & { readonly id: Ipv4Id };
type ProtocolWord = Extract<Expression, { kind: "protocol" }>;

/** All members of a list have the same kind and the same qualifiers, if any. */
type Member =
  | { readonly kind: "port"; readonly node: PortNumber }
  | { readonly kind: "port range"; readonly node: PortRangeName }
  | { readonly kind: "address"; readonly node: Address }
  | { readonly kind: "protocol"; readonly node: ProtocolWord };

/** An operand of a chain, or a long list of operands. `op` joins it to the part before it. */
export type Part = {
  readonly op: "and" | "or";
  readonly node: Expression;
  readonly list: readonly Member[] | null;
};

/** Returns the operands of a chain, each long list as one part, whose `node` is the list's first operand. */
export function partsOf({ first, rest }: Chain): Part[] {
  const operands: Part[] = [{ op: rest[0]!.op, node: first, list: null }];
  for (let at = 0; at < rest.length; at += 1) operands.push({ ...rest[at]!, list: null });
  if (operands.length < LONG_LIST) return operands;
  const parts: Part[] = [];
  let at = 0;
  while (at < operands.length) {
    const list = membersFrom(operands, at);
    const end = at + Math.max(1, list.length);
    if (list.length >= LONG_LIST) parts.push({ ...operands[at]!, list });
    else for (let member = at; member < end; member += 1) parts.push(operands[member]!);
    at = end;
  }
  return parts;
}

/** Returns the equal-shaped operands from `start` on that one operator joins: `and` if they are negated, else `or`. */
function membersFrom(operands: readonly Part[], start: number): Member[] {
  const members: Member[] = [];
  const negated = operands[start]!.node.kind === "not";
  const joint = negated ? "and" : "or";
  for (let at = start; at < operands.length && operands[at]!.op === joint; at += 1) {
    const member = memberIn(operands[at]!.node, negated);
    if (member === null || !areAlike(member, members[0] ?? member)) break;
    members.push(member);
  }
  return members;
}

function memberIn(node: Expression, negated: boolean): Member | null {
  if (!negated) return toMember(node);
  return node.kind === "not" ? toMember(node.node) : null;
}

function toMember(node: Expression): Member | null {
  if (node.kind === "protocol") return { kind: "protocol", node };
  if (node.kind !== "primitive") return null;
  const { type, protocol } = node.qualifiers;
  switch (node.id.kind) {
    case "number":
      return type === "port" ? { kind: "port", node: node as PortNumber } : null;
    case "name":
      if (type !== "portrange" || !isNumericRange(node.id.text)) return null;
      return { kind: "port range", node: node as PortRangeName };
    case "ipv4":
    case "ipv4-prefix":
    case "ipv4-mask":
      return protocol === "decnet" ? null : { kind: "address", node: node as Address };
    default:
      return null;
  }
}

/** `host` and `net` may be in one list. */
function areAlike(a: Member, b: Member): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === "protocol" || b.kind === "protocol") return true;
  const [one, other] = [a.node.qualifiers, b.node.qualifiers];
  return one.protocol === other.protocol && one.direction === other.direction;
}

/** Lowers all members to one test. */
export function lowerList(context: LoweringContext, { node }: Part, members: readonly Member[]): Test {
  const test = lowerMembers(context, members);
  return node.kind === "not" ? not(test) : test;
}

function lowerMembers(context: LoweringContext, members: readonly Member[]): Test {
  const nodes = members.map(({ node }) => node);
  switch (members[0]!.kind) {
    case "port":
      return lowerPorts(context, nodes as PortNumber[]);
    case "port range":
      return lowerPortRanges(context, nodes as PortRangeName[]);
    case "address":
      return lowerAddresses(context, nodes as Address[]);
    case "protocol":
      return lowerProtocols(context, nodes as ProtocolWord[]);
  }
}

function lowerPorts(context: LoweringContext, members: readonly PortNumber[]): Test {
  const { qualifiers, span } = members[0]!;
  context.span = span;
  const transport = portTransport(context, qualifiers);
  const ports = members.map(({ id, span }) => {
    context.span = span;
    requirePort(context, id.value);
    return id.value;
  });
  return isOneOfPorts(context, ports, transport, qualifiers.direction);
}

function lowerPortRanges(context: LoweringContext, members: readonly PortRangeName[]): Test {
  const { qualifiers, span } = members[0]!;
  context.span = span;
  const transport = portTransport(context, qualifiers);
  const ranges = members.map(({ id, span }) => {
    context.span = span;
    return resolveNumericRange(context, id.text);
  });
  return isInOneOfPortRanges(context, ranges, transport, qualifiers.direction);
}

function lowerAddresses(context: LoweringContext, members: readonly Address[]): Test {
  const addresses = members.map(({ qualifiers, id, span }) => {
    context.span = span;
    return resolveIpv4(context, qualifiers, id);
  });
  const { qualifiers, span } = members[0]!;
  context.span = span;
  const noun = qualifiers.type === "net" ? "net" : "host";
  return isOneOfIpv4Hosts(context, addresses, qualifiers.protocol, qualifiers.direction, noun);
}

/** Tests each word once: a frame that does not match a word at first never matches it later, even if truncated. */
function lowerProtocols(context: LoweringContext, members: readonly ProtocolWord[]): Test {
  const words = new Map<Protocol, ProtocolWord>();
  for (const member of members) if (!words.has(member.protocol)) words.set(member.protocol, member);
  return anyOf([...words.values()], ({ protocol, span }) => {
    context.span = span;
    return isProtocolWord(context, protocol);
  });
}
