/**
 * Long lists: `port 1 or port 2 or ...`, and their negations, `not port 1 and not port 2 and ...`. libpcap makes each port a
 * test of its own, beginning with the EtherType, and leaves it to its optimiser to see what they have in common; for hundreds
 * that takes seconds. Here what they have in common is tested once. A frame gets the same answer, unless it is cut within the
 * headers in question.
 */
import { not, type Test } from "../flow.ts";
import type { Chain, Expression, Ipv4Id, Primitive } from "../syntax.ts";
import type { LoweringContext } from "./context.ts";
import { isOneOfIpv4Hosts } from "./hosts.ts";
import { isOneOfPorts } from "./ports.ts";
import { portTransport, requirePort, resolveIpv4 } from "./primitive.ts";

/** Shorter lists become the very program of libpcap. */
const LONG_LIST = 30;

type PortNumber = Primitive & { readonly id: { readonly kind: "number"; readonly value: number } };
type Address = Primitive & { readonly id: Ipv4Id };
type Member = PortNumber | Address;

/** An operand of a chain, or a long list of them. `op` joins it to what stands before it. */
export type Part = {
  readonly op: "and" | "or";
  readonly node: Expression;
  readonly list: readonly Member[] | null;
};

/** The operands of a chain, with the long lists in it as one each: `node` is then the first of the list. */
export function partsOf({ first, rest }: Chain): Part[] {
  const operands: Part[] = [{ op: rest[0]!.op, node: first, list: null }];
  for (let at = 0; at < rest.length; at += 1) operands.push({ ...rest[at]!, list: null });
  if (operands.length < LONG_LIST) return operands;
  const parts: Part[] = [];
  let at = 0;
  while (at < operands.length) {
    const list = membersFrom(operands, at);
    const run = operands.slice(at, at + Math.max(1, list.length));
    if (list.length >= LONG_LIST) parts.push({ ...run[0]!, list });
    else parts.push(...run);
    at += run.length;
  }
  return parts;
}

/** The operands from `start` on that are alike and joined by one operator: `and` if they are negated, else `or`. */
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
  if (!negated) return isMember(node) ? node : null;
  return node.kind === "not" && isMember(node.node) ? node.node : null;
}

function isMember(node: Expression): node is Member {
  if (node.kind !== "primitive") return false;
  const { type, protocol } = node.qualifiers;
  switch (node.id.kind) {
    case "number":
      return type === "port";
    case "ipv4":
    case "ipv4-prefix":
    case "ipv4-mask":
      return protocol !== "decnet";
    default:
      return false;
  }
}

/** `host` and `net` may stand in one list. */
function areAlike(a: Member, b: Member): boolean {
  return (
    (a.id.kind === "number") === (b.id.kind === "number") &&
    a.qualifiers.protocol === b.qualifiers.protocol &&
    a.qualifiers.direction === b.qualifiers.direction
  );
}

/** All of them in one test. */
export function lowerList(context: LoweringContext, { node }: Part, members: readonly Member[]): Test {
  const test = arePorts(members)
    ? lowerPorts(context, members)
    : lowerAddresses(context, members as readonly Address[]);
  return node.kind === "not" ? not(test) : test;
}

function arePorts(members: readonly Member[]): members is readonly PortNumber[] {
  return members[0]!.id.kind === "number";
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
