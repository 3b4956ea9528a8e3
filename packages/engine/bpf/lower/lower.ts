/** Lowers the syntax tree to a graph of basic blocks, in the order in which libpcap makes them. */
import { and, type Block, branch, connect, not, or, returnBlock, statement, type Test } from "../flow.ts";
import { ALU, AND, B, JEQ, JGE, JGT, K, LD, LEN, OR, W } from "../instructions.ts";
import type { LinkType } from "../link-types.ts";
import { ETHERTYPE } from "../names/numbers.ts";
import type { Chain, Expression } from "../syntax.ts";
import type { Protocol } from "../tokens.ts";
import { lowerRelation } from "./arithmetic.ts";
import { LoweringContext } from "./context.ts";
import { lowerEncapsulation } from "./encapsulation.ts";
import { isEthernetHost } from "./hosts.ts";
import { carries, checkTunnelledFrame, isOutgoing } from "./link-protocol.ts";
import { lowerList, partsOf } from "./lists.ts";
import { lowerLlc } from "./llc.ts";
import { fieldCompares, fieldEquals, fieldHasBits } from "./loads.ts";
import { lowerPrimitive } from "./primitive.ts";
import { isProtocolWord } from "./protocols.ts";
import { computePrefix, isWirelessPpi } from "./radio-prefix.ts";

/** The result of an accepting program: libpcap's largest snapshot length. The predicate only tests for zero. */
export const ACCEPT = 262_144;
export const REJECT = 0;

export type LoweredProgram = {
  root: Block;
  /** False when a block has jumps inside, which the optimiser must not touch. */
  readonly mayOptimize: boolean;
};

/** @param tree null for the empty expression, which accepts every packet. */
export function lower(expression: string, tree: Expression | null, linkType: LinkType): LoweredProgram {
  if (tree === null) return { root: returnBlock(ACCEPT), mayOptimize: true };
  const context = new LoweringContext(expression, linkType);
  let test = lowerExpression(context, tree);
  reserveLinkRegister(context);
  computePrefix(context, test);
  if (context.linkType === "DLT_PPI") test = and(isWirelessPpi(), test);
  connect(test.whenTrue, returnBlock(ACCEPT));
  connect(test.whenFalse, returnBlock(REJECT));
  return { root: test.head, mayOptimize: context.mayOptimize };
}

/** libpcap allocates one more register here; this matters only if the expression has used all sixteen. */
function reserveLinkRegister({ payload, linkHeader, registers }: LoweringContext): void {
  if (payload.register !== -1 && linkHeader.isVariable && linkHeader.register === -1) {
    linkHeader.register = registers.allocate();
  }
}

function lowerExpression(context: LoweringContext, node: Expression): Test {
  switch (node.kind) {
    case "chain":
      return lowerChain(context, node);
    case "not":
      return not(lowerExpression(context, node.node));
    default:
      context.span = node.span;
      return lowerLeaf(context, node);
  }
}

function lowerChain(context: LoweringContext, chain: Chain): Test {
  let all: Test | null = null;
  for (const part of partsOf(chain)) {
    const { op, node, list } = part;
    const test = list === null ? lowerExpression(context, node) : lowerList(context, part, list);
    if (all === null) all = test;
    else all = op === "and" ? and(all, test) : or(all, test);
  }
  return all!;
}

type Leaf = Exclude<Expression, { kind: "chain" | "not" }>;

function lowerLeaf(context: LoweringContext, node: Leaf): Test {
  switch (node.kind) {
    case "primitive":
      return lowerPrimitive(context, node.qualifiers, node.id);
    case "protocol":
      return isProtocolWord(context, node.protocol);
    case "relation":
      return lowerRelation(context, node);
    case "broadcast":
      return lowerBroadcast(context, node.protocol);
    case "multicast":
      return lowerMulticast(context, node.protocol);
    case "less":
      return not(branch([statement(LD | LEN)], JGT | K, node.value));
    case "greater":
      return branch([statement(LD | LEN)], JGE | K, node.value);
    case "byte":
      return lowerByte(context, node);
    case "encapsulation":
      return lowerEncapsulation(context, node.layer, node.number);
    case "pppoed":
      return carries(context, ETHERTYPE.pppoeDiscovery);
    case "llc":
      return lowerLlc(context, node.type);
    case "inbound":
    case "outbound":
      return lowerWay(context, node.kind);
    case "ifindex":
      return lowerInterface(context, node.index);
  }
}

const BROADCAST_MAC = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const ALL_ONES = 0xffffffff;

/** No netmask is known, so `ip broadcast` tests for the two addresses that are broadcasts on every network. */
function lowerBroadcast(context: LoweringContext, protocol: Protocol | null): Test {
  switch (protocol) {
    case null:
    case "link":
      if (context.linkType !== "DLT_EN10MB") {
        return context.fail("bpf.unsupported", `there is no broadcast on ${context.linkName}`);
      }
      return isEthernetHost(context, BROADCAST_MAC, "dst");
    case "ip": {
      const ip = carries(context, ETHERTYPE.ip);
      const allZeros = fieldEquals(context, "network", 16, W, 0);
      return and(ip, or(allZeros, fieldEquals(context, "network", 16, W, ALL_ONES)));
    }
    default:
      return context.fail("bpf.bad-qualifier", `"broadcast" cannot follow "${protocol}"`);
  }
}

function lowerMulticast(context: LoweringContext, protocol: Protocol | null): Test {
  switch (protocol) {
    case null:
    case "link": {
      if (context.linkType !== "DLT_EN10MB") {
        return context.fail("bpf.unsupported", `there is no multicast on ${context.linkName}`);
      }
      const tunnelled = checkTunnelledFrame(context);
      const groupBit = fieldHasBits(context, "link header", 0, B, 0x01);
      return tunnelled === null ? groupBit : and(tunnelled, groupBit);
    }
    case "ip": {
      const ip = carries(context, ETHERTYPE.ip);
      return and(ip, fieldCompares(context, "network", 16, B, ">=", 224));
    }
    case "ip6": {
      const ip6 = carries(context, ETHERTYPE.ip6);
      return and(ip6, fieldEquals(context, "network", 24, B, 0xff));
    }
    default:
      return context.fail("bpf.bad-qualifier", `"multicast" cannot follow "${protocol}"`);
  }
}

function lowerWay(context: LoweringContext, way: "inbound" | "outbound"): Test {
  const outgoing = isOutgoing(context);
  if (outgoing === null) {
    return context.fail(
      "bpf.unsupported",
      `packets on ${context.linkName} do not say whether they are ${way}`,
    );
  }
  return way === "outbound" ? outgoing : not(outgoing);
}

function lowerInterface(context: LoweringContext, index: number): Test {
  if (context.linkType === "DLT_LINUX_SLL2") return fieldEquals(context, "link header", 4, W, index);
  return context.fail("bpf.unsupported", `packets on ${context.linkName} do not name an interface`);
}

/** With `&` and `|` libpcap omits the load, so they apply to the previous content of A. Kept for compatibility. */
function lowerByte(context: LoweringContext, node: Extract<Expression, { kind: "byte" }>): Test {
  switch (node.op) {
    case "=":
      return fieldEquals(context, "link header", node.index, B, node.value);
    case "<":
    case ">":
      return fieldCompares(context, "link header", node.index, B, node.op, node.value);
    case "&":
    case "|": {
      const operation = node.op === "&" ? AND : OR;
      return not(branch([statement(ALU | operation | K, node.value)], JEQ | K, 0));
    }
  }
}
