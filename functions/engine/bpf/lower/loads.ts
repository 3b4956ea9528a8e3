/** Loads relative to a header, and the comparisons made of them. Everything else in this folder is built on these. */
import { and, branch, equals, isAmong, not, or, type Statement, statement, type Test } from "../flow.ts";
import {
  ABS,
  ADD,
  ALU,
  AND,
  B,
  H,
  IND,
  JEQ,
  JGE,
  JGT,
  JSET,
  K,
  LD,
  LDX,
  type LoadSize,
  LSH,
  MEM,
  MISC,
  MSH,
  TAX,
  W,
  X,
} from "../instructions.ts";
import { type Candidates, type LoweringContext, NO_REGISTER, type Offset } from "./context.ts";

/** Bytes of the fixed IPv6 header. */
export const IPV6_HEADER_BYTES = 40;

/** What an offset counts from. */
export type Base =
  | "link header"
  | "outer link header"
  | "type field"
  | "llc" // the 802.2 header, which opens the payload
  | "network" // the network header
  | "network without snap" // the network header after a bare LLC header
  | "previous mpls label"
  | "ipv4 transport"
  | "ipv6 transport";

const ALL_BITS = 0xffffffff;

/** Blocks that load the same share these. */
export function load(
  context: LoweringContext,
  base: Base,
  offset: number,
  size: LoadSize,
  mask = ALL_BITS,
): readonly Statement[] {
  const { payload, networkOffset } = context;
  switch (base) {
    case "link header":
      return loadFrom(context, context.linkHeader, offset, size, mask);
    case "outer link header":
      return loadFrom(context, context.outerLinkHeader, offset, size, mask);
    case "type field":
      return loadFrom(context, context.typeField, offset, size, mask);
    case "llc":
      return loadFrom(context, payload, offset, size, mask);
    case "network":
      return loadFrom(context, payload, networkOffset + offset, size, mask);
    case "network without snap":
      return loadFrom(context, payload, context.networkOffsetNoSnap + offset, size, mask);
    case "previous mpls label":
      return loadFrom(context, payload, networkOffset - 4 + offset, size, mask);
    case "ipv4 transport":
      return loadBehindIpv4(context, payload.constant + networkOffset + offset, size, mask);
    case "ipv6 transport":
      return loadFrom(context, payload, networkOffset + IPV6_HEADER_BYTES + offset, size, mask);
  }
}

function loadFrom(
  context: LoweringContext,
  base: Offset,
  offset: number,
  size: LoadSize,
  mask: number,
): readonly Statement[] {
  const place = base.constant + offset;
  const register = registerOf(context, base);
  const shared = context.loads.find(LD | size, place, register, mask);
  if (shared !== null) return shared;
  const statements =
    register === NO_REGISTER
      ? [statement(LD | ABS | size, place)]
      : [statement(LDX | MEM, register), statement(LD | IND | size, place)];
  return context.loads.add(LD | size, place, register, mask, addMask(statements, mask));
}

function loadBehindIpv4(
  context: LoweringContext,
  place: number,
  size: LoadSize,
  mask: number,
): readonly Statement[] {
  const register = registerOf(context, context.payload);
  const shared = context.loads.find(LD | MSH | size, place, register, mask);
  if (shared !== null) return shared;
  const statements = [...loadIpv4HeaderLength(context), statement(LD | IND | size, place)];
  return context.loads.add(LD | MSH | size, place, register, mask, addMask(statements, mask));
}

function addMask(statements: Statement[], mask: number): readonly Statement[] {
  return mask >>> 0 === ALL_BITS ? statements : [...statements, statement(ALU | AND | K, mask)];
}

/** The register of the variable part of `offset`, given out on first use; NO_REGISTER if it has no such part. */
function registerOf(context: LoweringContext, offset: Offset): number {
  if (!offset.isVariable) return NO_REGISTER;
  if (offset.register === NO_REGISTER) offset.register = context.registers.allocate();
  return offset.register;
}

/** X takes the variable part of `offset`; null if it has no such part. */
export function loadVariablePart(context: LoweringContext, offset: Offset): Statement | null {
  const register = registerOf(context, offset);
  return register === NO_REGISTER ? null : statement(LDX | MEM, register);
}

/** X takes the IPv4 header length, plus the variable part of the payload offset if it has one. */
export function loadIpv4HeaderLength(context: LoweringContext): Statement[] {
  const place = context.payload.constant + context.networkOffset;
  const variable = loadVariablePart(context, context.payload);
  if (variable === null) return [statement(LDX | MSH | B, place)];
  return [
    variable,
    statement(LD | IND | B, place),
    statement(ALU | AND | K, 0xf),
    statement(ALU | LSH | K, 2),
    statement(ALU | ADD | X),
    statement(MISC | TAX),
  ];
}

/** The field equals `value`, once masked. */
export function fieldEquals(
  context: LoweringContext,
  base: Base,
  offset: number,
  size: LoadSize,
  value: number,
  mask = ALL_BITS,
): Test {
  return equals(load(context, base, offset, size, mask), value);
}

/**
 * The field, once masked, is one of these. The first has a block of its own, in which the load stays: that of the others then
 * is one that the optimiser can drop, and what is left the same after another load.
 */
export function fieldIsAmong(
  context: LoweringContext,
  base: Base,
  offset: number,
  size: LoadSize,
  { first, others }: Candidates,
  mask = ALL_BITS,
): Test {
  const test = fieldEquals(context, base, offset, size, first, mask);
  if (others === null) return test;
  return or(test, isAmong(load(context, base, offset, size, mask), others));
}

/** A comparison of the whole field; `<=` and `<` are the negations of `>` and `>=`, as BPF has only those. */
export function fieldCompares(
  context: LoweringContext,
  base: Base,
  offset: number,
  size: LoadSize,
  op: ">" | ">=" | "<" | "<=",
  value: number,
): Test {
  const condition = op === ">" || op === "<=" ? JGT : JGE;
  const test = branch(load(context, base, offset, size), condition | K, value);
  return op === "<" || op === "<=" ? not(test) : test;
}

/** The field shares a bit with `bits`. */
export function fieldHasBits(
  context: LoweringContext,
  base: Base,
  offset: number,
  size: LoadSize,
  bits: number,
): Test {
  return branch(load(context, base, offset, size), JSET | K, bits);
}

/** The bytes at `offset` are these. Compared from the last word to the first, as libpcap does. */
export function bytesEqual(
  context: LoweringContext,
  base: Base,
  offset: number,
  bytes: readonly number[],
): Test {
  let rest = bytes.length;
  let test: Test | null = null;
  while (rest > 0) {
    const size = rest >= 4 ? W : rest >= 2 ? H : B;
    const width = rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
    rest -= width;
    const value = bytes.slice(rest, rest + width).reduce((word, byte) => ((word << 8) | byte) >>> 0, 0);
    const next = fieldEquals(context, base, offset + rest, size, value);
    test = test === null ? next : and(test, next);
  }
  if (test === null) throw new RangeError("no bytes to compare");
  return test;
}

/** Always true, or always false; still a block, which the optimiser removes. */
export function constantTest(value: boolean): Test {
  return branch([statement(LD, value ? 0 : 1)], JEQ | K, 0);
}
