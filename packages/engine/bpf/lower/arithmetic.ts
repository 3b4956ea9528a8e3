/**
 * Lowers arithmetic and comparisons. Every value goes through a scratch register, which the optimiser usually removes. A byte
 * accessor adds its own protocol check; all checks of an expression run before all of its loads.
 */
import { and, branch, not, type Statement, statement, type Test } from "../flow.ts";
import * as op from "../instructions.ts";
import { IP_PROTOCOL } from "../names/numbers.ts";
import type { Arithmetic, BinaryOperator, Comparison, Expression } from "../syntax.ts";
import type { Protocol } from "../tokens.ts";
import type { LoweringContext, Offset } from "./context.ts";
import { fieldEquals, IPV6_HEADER_BYTES, loadIpv4HeaderLength, loadVariablePart } from "./loads.ts";
import { isFirstFragment } from "./ports.ts";
import { isProtocolWord } from "./protocols.ts";

/** Code that leaves a value in `register`, and the test, if any, without which the value is meaningless. */
type Value = { statements: Statement[]; guard: Test | null; register: number };

const OPERATIONS: Readonly<Record<BinaryOperator, number>> = {
  "+": op.ADD,
  "-": op.SUB,
  "*": op.MUL,
  "/": op.DIV,
  "%": op.MOD,
  "&": op.AND,
  "|": op.OR,
  "^": op.XOR,
  "<<": op.LSH,
  ">>": op.RSH,
};

/** BPF lacks `<`, `<=` and `!=`; they are negations of `>=`, `>` and `=`. */
const CONDITIONS: Readonly<Record<Comparison, { readonly condition: number; readonly negated: boolean }>> = {
  ">": { condition: op.JGT, negated: false },
  ">=": { condition: op.JGE, negated: false },
  "=": { condition: op.JEQ, negated: false },
  "<=": { condition: op.JGT, negated: true },
  "<": { condition: op.JGE, negated: true },
  "!=": { condition: op.JEQ, negated: true },
};

export function lowerRelation(
  context: LoweringContext,
  relation: Extract<Expression, { kind: "relation" }>,
): Test {
  const left = lowerArithmetic(context, relation.left);
  const right = lowerArithmetic(context, relation.right);
  const { condition, negated } = CONDITIONS[relation.op];
  const statements = left.statements;
  append(statements, right.statements);
  statements.push(statement(op.LDX | op.MEM, right.register), statement(op.LD | op.MEM, left.register));
  if (condition === op.JEQ) statements.push(statement(op.ALU | op.SUB | op.X));
  const test = branch(statements, condition === op.JEQ ? op.JEQ | op.K : condition | op.X, 0);
  context.registers.free(left.register);
  context.registers.free(right.register);
  const guard = bothGuards(left.guard, right.guard);
  const compared = negated ? not(test) : test;
  return guard === null ? compared : and(guard, compared);
}

function bothGuards(first: Test | null, second: Test | null): Test | null {
  if (first === null || second === null) return first ?? second;
  return and(first, second);
}

/** Appends in place; spreading a long list could overflow the stack. */
function append(target: Statement[], more: readonly Statement[]): void {
  for (const item of more) target.push(item);
}

function lowerArithmetic(context: LoweringContext, node: Arithmetic): Value {
  // A sum of many terms is a deep left-leaning tree; a loop over that side keeps the stack shallow.
  const pending: Extract<Arithmetic, { kind: "binary" }>[] = [];
  let innermost = node;
  while (innermost.kind === "binary") {
    pending.push(innermost);
    innermost = innermost.left;
  }
  let value = lowerOperand(context, innermost);
  for (const binary of pending.reverse()) value = lowerBinary(context, binary, value);
  return value;
}

function lowerOperand(context: LoweringContext, node: Exclude<Arithmetic, { kind: "binary" }>): Value {
  switch (node.kind) {
    case "number":
      return newValue(context, statement(op.LD | op.IMM, node.value));
    case "len":
      return newValue(context, statement(op.LD | op.LEN));
    case "negate": {
      const value = lowerArithmetic(context, node.operand);
      value.statements.push(
        statement(op.LD | op.MEM, value.register),
        statement(op.ALU | op.NEG),
        statement(op.ST, value.register),
      );
      return value;
    }
    case "load": {
      const index = lowerArithmetic(context, node.index);
      context.span = node.span;
      return lowerAccessor(context, node.protocol, index, node.size);
    }
  }
}

function newValue(context: LoweringContext, source: Statement): Value {
  const register = context.registers.allocate();
  return { statements: [source, statement(op.ST, register)], guard: null, register };
}

function lowerBinary(
  context: LoweringContext,
  node: Extract<Arithmetic, { kind: "binary" }>,
  left: Value,
): Value {
  const right = lowerArithmetic(context, node.right);
  context.span = node.right.span;
  refuseConstant(context, node.op, right.statements[0]!);
  append(left.statements, right.statements);
  left.statements.push(
    statement(op.LDX | op.MEM, right.register),
    statement(op.LD | op.MEM, left.register),
    statement(op.ALU | op.X | OPERATIONS[node.op]),
  );
  context.registers.free(left.register);
  context.registers.free(right.register);
  left.register = context.registers.allocate();
  left.statements.push(statement(op.ST, left.register));
  // libpcap forgets the right operand's protocol check: `ip[0] + tcp[0]` checks only for IP.
  return left;
}

/** libpcap checks only the first instruction of the right operand, so it rejects `1 / (0 + x)` like `1 / 0`. */
function refuseConstant(context: LoweringContext, operator: BinaryOperator, first: Statement): void {
  if (first.code !== (op.LD | op.IMM)) return;
  if ((operator === "/" || operator === "%") && first.k === 0) {
    context.fail("bpf.division-by-zero", `the right side of "${operator}" is zero`);
  }
  if ((operator === "<<" || operator === ">>") && first.k > 31) {
    context.fail("bpf.division-by-zero", "a shift by more than 31 bits leaves nothing");
  }
}

const SIZES: ReadonlyMap<number, op.LoadSize> = new Map<number, op.LoadSize>([
  [1, op.B],
  [2, op.H],
  [4, op.W],
]);

function lowerAccessor(context: LoweringContext, protocol: Protocol, index: Value, bytes: number): Value {
  const register = context.registers.allocate();
  context.registers.free(index.register);
  const size = SIZES.get(bytes);
  if (size === undefined) return context.fail("bpf.bad-number", "the size of an accessor must be 1, 2 or 4");
  addAccess(context, protocol, index, size);
  index.register = register;
  index.statements.push(statement(op.ST, register));
  return index;
}

function addAccess(context: LoweringContext, protocol: Protocol, value: Value, size: op.LoadSize): void {
  switch (protocol) {
    case "link":
      addLoad(context, value, context.linkHeader, 0, size);
      return;
    case "ip":
    case "arp":
    case "rarp":
    case "atalk":
    case "decnet":
    case "sca":
    case "lat":
    case "moprc":
    case "mopdl":
    case "ip6":
      addLoad(context, value, context.payload, context.networkOffset, size);
      value.guard = bothGuards(value.guard, isProtocolWord(context, protocol));
      return;
    case "sctp":
    case "tcp":
    case "udp":
    case "icmp":
    case "igmp":
    case "igrp":
    case "pim":
    case "vrrp":
    case "carp":
      addIpv4TransportLoad(context, value, protocol, size);
      return;
    case "icmp6":
      value.guard = bothGuards(value.guard, isProtocolWord(context, "ip6"));
      value.guard = and(value.guard!, fieldEquals(context, "network", 6, op.B, IP_PROTOCOL.icmp6));
      addLoad(context, value, context.payload, context.networkOffset + IPV6_HEADER_BYTES, size);
      return;
    case "radio":
      context.fail("bpf.unsupported", '"radio" is for captures with radio information only');
      return;
    default:
      context.fail("bpf.bad-qualifier", `the bytes of "${protocol}" cannot be accessed`);
  }
}

/** A load at `value` bytes past `base` + `offset`. */
function addLoad(
  context: LoweringContext,
  value: Value,
  base: Offset,
  offset: number,
  size: op.LoadSize,
): void {
  const variable = loadVariablePart(context, base);
  if (variable === null) {
    value.statements.push(statement(op.LDX | op.MEM, value.register));
  } else {
    value.statements.push(
      variable,
      statement(op.LD | op.MEM, value.register),
      statement(op.ALU | op.ADD | op.X),
      statement(op.MISC | op.TAX),
    );
  }
  value.statements.push(statement(op.LD | op.IND | size, base.constant + offset));
}

/** Adds a load past the IPv4 header, with a check for IPv4 even if the protocol also runs over IPv6. */
function addIpv4TransportLoad(
  context: LoweringContext,
  value: Value,
  protocol: Protocol,
  size: op.LoadSize,
): void {
  append(value.statements, loadIpv4HeaderLength(context));
  value.statements.push(
    statement(op.LD | op.MEM, value.register),
    statement(op.ALU | op.ADD | op.X),
    statement(op.MISC | op.TAX),
    statement(op.LD | op.IND | size, context.payload.constant + context.networkOffset),
  );
  const carried = isProtocolWord(context, protocol);
  const firstFragment = and(carried, isFirstFragment(context));
  const guard = value.guard === null ? firstFragment : and(value.guard, firstFragment);
  value.guard = and(isProtocolWord(context, "ip"), guard);
}
