/** Loads relative to a header, and comparisons of loaded fields. The rest of this folder is built on these. */
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

/** Returns the statements of a load; blocks with equal loads share them. */
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

/** Returns the register of the variable part of `offset`, allocated on first use; NO_REGISTER if there is no such part. */
function registerOf(context: LoweringContext, offset: Offset): number {
  if (!offset.isVariable) return NO_REGISTER;
  if (offset.register === NO_REGISTER) offset.register = context.registers.allocate();
  return offset.register;
}

/** Loads the variable part of `offset` into X; returns null if there is no such part. */
export function loadVariablePart(context: LoweringContext, offset: Offset): Statement | null {
  const register = registerOf(context, offset);
  return register === NO_REGISTER ? null : statement(LDX | MEM, register);
}

/** Loads into X the IPv4 header length, plus the variable part of the payload offset if there is one. */
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

/** Tests whether the masked field equals `value`. */
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
 * Tests whether the masked field is one of the candidates. The first candidate has its own block, which keeps the load. The
 * optimiser can then drop the load of the others, so their block is the same after any load.
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

/** Compares the whole field; `<=` and `<` are negations of `>` and `>=`, because BPF has only those. */
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

/** Tests whether the field has any of `bits` set. */
export function fieldHasBits(
  context: LoweringContext,
  base: Base,
  offset: number,
  size: LoadSize,
  bits: number,
): Test {
  return branch(load(context, base, offset, size), JSET | K, bits);
}

/** Tests the bytes at `offset`, from the last word to the first, as libpcap does. */
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

/** Returns a test that is always true or always false: a block that the optimiser removes. */
export function constantTest(value: boolean): Test {
  return branch([statement(LD, value ? 0 : 1)], JEQ | K, 0);
}
