/**
 * A BPF program as a JavaScript function, which V8 then makes machine code of: four to ten times as fast as the same
 * program as composed closures, which `test/bench/bpf.ts` measures it against, and ten or more as the interpreter.
 *
 * Jumps of a BPF program without loops go forward only, so each target is the end of a labelled block:
 *
 *     L2: { L1: { a = p[12] << 8 | p[13];  if (a === 2048) break L1; else break L2; }  ... }  ...
 *
 * The text is made of numbers and of the fixed pieces below; no part of an expression is ever in it. A and X are kept as
 * signed 32-bit integers, which V8 keeps in registers, and read as unsigned where that matters.
 */
import * as op from "./instructions.ts";
import { KnownBounds } from "./known-bounds.ts";
import { type PackedProgram, pack, unpack } from "./packed-program.ts";
import { ProgramFlow } from "./program-flow.ts";
import { interpret, interpretPacked, jumpsBack, type PacketPredicate } from "./vm.ts";

/** Some 90 KB of source, which V8 takes some ten milliseconds to read. */
const MAX_GENERATED_INSTRUCTIONS = 3000;
/** With the JAs between them. */
const MAX_INSTRUCTIONS = 2 * MAX_GENERATED_INSTRUCTIONS;
/** Each is a level of nesting to V8's parser, which recurses: twice as many still fit a default stack. */
const MAX_TARGETS = 1500;

/** A program of so many becomes a function at once, in about a millisecond. */
const SMALL_INSTRUCTIONS = 200;
/**
 * Until this packet a larger one is interpreted. To write thousands of lines of source and have them read takes up to twenty
 * milliseconds, which are not worth while for a few packets, or where the question is only whether an expression is right.
 */
export const FIRST_GENERATED_PACKET = 100;

/** Judges a packet that lies in a larger buffer, from `start` to `end`, without a view of it. */
export type InPlacePredicate = (bytes: Uint8Array, start: number, end: number, wireLength: number) => boolean;

/** The fastest predicate for this program: of a large one, from the packet on that shows that it is going to be used. */
export function makePredicate(program: op.BpfProgram): PacketPredicate {
  return makePackedPredicate(pack(program));
}

export function makePackedPredicate(program: PackedProgram): PacketPredicate {
  if (program.length <= SMALL_INSTRUCTIONS) {
    return generatePredicate(unpack(program)) ?? interpretPacked(program);
  }
  let predicate = interpretPacked(program);
  let packets = 0;
  return (packet, wireLength) => {
    packets += 1;
    if (packets === FIRST_GENERATED_PACKET) predicate = generatePredicate(unpack(program)) ?? predicate;
    return predicate(packet, wireLength);
  };
}

function generatePredicate(program: op.BpfProgram): PacketPredicate | null {
  const source = generateSource(program);
  return source === null ? null : (new Function("p", "w", source) as PacketPredicate);
}

/** The same for packets in place. */
export function makeInPlacePredicate(program: op.BpfProgram): InPlacePredicate {
  if (program.length <= SMALL_INSTRUCTIONS) {
    return generateInPlacePredicate(program) ?? interpretInPlace(program);
  }
  let predicate = interpretInPlace(program);
  let packets = 0;
  return (bytes, start, end, wireLength) => {
    packets += 1;
    if (packets === FIRST_GENERATED_PACKET) predicate = generateInPlacePredicate(program) ?? predicate;
    return predicate(bytes, start, end, wireLength);
  };
}

function generateInPlacePredicate(program: op.BpfProgram): InPlacePredicate | null {
  const source = generateSource(program, "s+");
  return source === null ? null : (new Function("p", "s", "e", "w", source) as InPlacePredicate);
}

function interpretInPlace(program: op.BpfProgram): InPlacePredicate {
  const predicate = interpret(program);
  return (bytes, start, end, wireLength) => predicate(bytes.subarray(start, end), wireLength);
}

/**
 * The body of `function (p, w)`: packet and wire length; or, with `base`, of `function (p, s, e, w)`: a buffer, and where
 * in it the packet lies. Null for a program with a loop, or one that is too large.
 */
export function generateSource(program: op.BpfProgram, base: "" | "s+" = ""): string | null {
  if (program.length > MAX_INSTRUCTIONS || program.some(({ code, k }) => jumpsBack(code, k))) return null;
  const flow = new ProgramFlow(program);
  const { targets, reachedCount } = flow;
  if (reachedCount > MAX_GENERATED_INSTRUCTIONS || targets.length > MAX_TARGETS) return null;
  const writer: Writer = { program, flow, bounds: new KnownBounds(program), base };
  let source = declare(program, base);
  for (let i = targets.length - 1; i >= 0; i -= 1) source += `\nL${targets[i]!}:{`;
  let closed = 0;
  for (let at = 0; at < program.length; at += 1) {
    if (!flow.isReached(at)) continue;
    source += "\n";
    if (targets[closed] === at) {
      source += "}";
      closed += 1;
    }
    source += generateInstruction(writer, at);
  }
  return source;
}

/** What the pieces of a program's source are made from; `base` is where the packet begins. */
interface Writer {
  readonly program: op.BpfProgram;
  readonly flow: ProgramFlow;
  readonly bounds: KnownBounds;
  readonly base: string;
}

function declare(program: op.BpfProgram, base: string): string {
  const words = new Set(program.filter(usesMemory).map(({ k }) => `m${k}=0`));
  return `"use strict";const n=${base ? "e-s" : "p.length"};let ${["a=0", "x=0", "i=0", ...words].join(",")};`;
}

function usesMemory({ code }: op.Instruction): boolean {
  const kind = op.classOf(code);
  if (kind === op.ST || kind === op.STX) return true;
  return (kind === op.LD || kind === op.LDX) && op.modeOf(code) === op.MEM;
}

function generateInstruction(writer: Writer, at: number): string {
  const { code, k } = writer.program[at]!;
  switch (op.classOf(code)) {
    case op.RET:
      return k === 0 ? "return false;" : "return true;";
    case op.LD:
      return generateLoad(writer, at);
    case op.LDX:
      return generateIndexLoad(writer, at);
    case op.ST:
      return `m${k}=a;`;
    case op.STX:
      return `m${k}=x;`;
    case op.ALU:
      return generateArithmetic(code, k);
    case op.JMP:
      return generateJump(writer, at);
    default:
      return code === (op.MISC | op.TAX) ? "x=a;" : "a=x;";
  }
}

function generateLoad({ program, bounds, base }: Writer, at: number): string {
  const { code, k } = program[at]!;
  const bytes = op.bytesOf(op.sizeOf(code));
  switch (op.modeOf(code)) {
    case op.ABS: {
      const check = bounds.lengthBefore(at) >= k + bytes ? "" : `if(n<${k + bytes})return false;`;
      return `${check}a=${bigEndian((i) => `p[${base}${k + i}]`, bytes)};`;
    }
    case op.IND: {
      // Without the unsigned reading where X is surely small: the index then stays a small integer.
      const index = bounds.isIndexSmallBefore(at) ? `x+${k}` : `(x>>>0)+${k}`;
      return `i=${index};if(n<i+${bytes})return false;a=${bigEndian((i) => (i === 0 ? `p[${base}i]` : `p[${base}i+${i}]`), bytes)};`;
    }
    case op.MEM:
      return `a=m${k};`;
    case op.LEN:
      return "a=w|0;";
    default:
      return `a=${k | 0};`;
  }
}

function bigEndian(byteAt: (index: number) => string, bytes: number): string {
  const parts = Array.from({ length: bytes }, (_, i) => {
    const shift = 8 * (bytes - 1 - i);
    return shift === 0 ? byteAt(i) : `${byteAt(i)}<<${shift}`;
  });
  return parts.join("|");
}

function generateIndexLoad({ program, bounds, base }: Writer, at: number): string {
  const { code, k } = program[at]!;
  switch (op.modeOf(code)) {
    case op.MEM:
      return `x=m${k};`;
    case op.MSH: {
      const check = bounds.lengthBefore(at) > k ? "" : `if(n<${k + 1})return false;`;
      return `${check}x=(p[${base}${k}]&15)<<2;`;
    }
    default:
      return `x=${k | 0};`;
  }
}

function generateArithmetic(code: number, k: number): string {
  const fromX = op.sourceOf(code) === op.X;
  const operand = fromX ? "x" : `(${k | 0})`;
  const unsigned = fromX ? "(x>>>0)" : `${k}`;
  const zeroCheck = fromX ? "if(x===0)return false;" : "";
  switch (op.operationOf(code)) {
    case op.ADD:
      return `a=a+${operand}|0;`;
    case op.SUB:
      return `a=a-${operand}|0;`;
    case op.MUL:
      return `a=Math.imul(a,${operand});`;
    case op.DIV:
      return `${zeroCheck}a=(a>>>0)/${unsigned}|0;`;
    case op.MOD:
      return `${zeroCheck}a=(a>>>0)%${unsigned}|0;`;
    case op.AND:
      return `a=a&${operand};`;
    case op.OR:
      return `a=a|${operand};`;
    case op.XOR:
      return `a=a^${operand};`;
    case op.LSH:
      return `a=${unsigned}<32?a<<${operand}:0;`;
    case op.RSH:
      return `a=${unsigned}<32?a>>>${operand}|0:0;`;
    default:
      return "a=0-a|0;";
  }
}

function generateJump(writer: Writer, at: number): string {
  const { code, jt, jf, k } = writer.program[at]!;
  if (op.operationOf(code) === op.JA) return goTo(writer, at + 1 + k, at);
  const whenTrue = goTo(writer, at + 1 + jt, at);
  const whenFalse = goTo(writer, at + 1 + jf, at);
  if (whenTrue === whenFalse) return whenTrue;
  const condition = generateCondition(code, k);
  if (whenTrue === "") return `if(!(${condition}))${whenFalse}`;
  return whenFalse === "" ? `if(${condition})${whenTrue}` : `if(${condition})${whenTrue}else ${whenFalse}`;
}

/** A jump as a statement; empty where it is to what comes next. */
function goTo({ program, flow }: Writer, target: number, from: number): string {
  const end = flow.endOf(target);
  const { code, k } = program[end]!;
  if (op.classOf(code) === op.RET) return k === 0 ? "return false;" : "return true;";
  return flow.isNext(from, end) ? "" : `break L${end};`;
}

function generateCondition(code: number, k: number): string {
  const fromX = op.sourceOf(code) === op.X;
  const unsigned = fromX ? "(x>>>0)" : `${k}`;
  const signed = fromX ? "x" : `${k | 0}`;
  switch (op.operationOf(code)) {
    case op.JEQ:
      return `a===${signed}`;
    case op.JGT:
      return `(a>>>0)>${unsigned}`;
    case op.JGE:
      return `(a>>>0)>=${unsigned}`;
    default:
      return `(a&${signed})!==0`;
  }
}
