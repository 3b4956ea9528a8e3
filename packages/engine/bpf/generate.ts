/**
 * Compiles a BPF program to a JavaScript function, which V8 compiles to machine code: four to ten times as fast as composed
 * closures (compared in `test/bench/bpf.ts`), and at least ten times as fast as the interpreter.
 *
 * Jumps of a BPF program without loops go forward only, so each target is the end of a labelled block:
 *
 *     L2: { L1: { a = p[12] << 8 | p[13];  if (a === 2048) break L1; else break L2; }  ... }  ...
 *
 * The source consists of numbers and the fixed pieces below; it contains no part of an expression. A and X are signed 32-bit
 * integers, which V8 keeps in registers; they are read as unsigned where that matters.
 */
import * as op from "./instructions.ts";
import { KnownBounds } from "./known-bounds.ts";
import { type PackedProgram, pack, unpack } from "./packed-program.ts";
import { ProgramFlow } from "./program-flow.ts";
import { interpret, interpretPacked, jumpsBack, type PacketPredicate } from "./vm.ts";

/** About 90 KB of source, which V8 parses in about ten milliseconds. */
const MAX_GENERATED_INSTRUCTIONS = 3000;
/** Includes the JAs between them. */
const MAX_INSTRUCTIONS = 2 * MAX_GENERATED_INSTRUCTIONS;
/** Each is a level of nesting for V8's recursive parser: twice as many still fit a default stack. */
const MAX_TARGETS = 1500;

/** A program of up to this size is compiled at once, in about a millisecond. */
const SMALL_INSTRUCTIONS = 200;
/**
 * A larger program is interpreted up to this packet. Generating and parsing thousands of lines takes up to twenty milliseconds,
 * too much for a few packets, or if the caller only validates the expression.
 */
export const FIRST_GENERATED_PACKET = 100;

/** Matches a packet inside a larger buffer, from `start` to `end`, without making a view. */
export type InPlacePredicate = (bytes: Uint8Array, start: number, end: number, wireLength: number) => boolean;

/** Returns the fastest predicate for this program. A large program is compiled only after it has matched some packets. */
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
  return source === null ? null : parse<PacketPredicate>(source, "p", "w");
}

/** @returns null where generated code is forbidden, as by the Content Security Policy of a page. */
function parse<T>(source: string, ...parameters: string[]): T | null {
  try {
    return new Function(...parameters, source) as T;
  } catch (error) {
    if (error instanceof EvalError) return null;
    throw error;
  }
}

/** Does the same for packets inside a larger buffer. */
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
  return source === null ? null : parse<InPlacePredicate>(source, "p", "s", "e", "w");
}

function interpretInPlace(program: op.BpfProgram): InPlacePredicate {
  const predicate = interpret(program);
  return (bytes, start, end, wireLength) => predicate(bytes.subarray(start, end), wireLength);
}

/**
 * Returns the body of `function (p, w)`: packet and wire length; or, with `base`, of `function (p, s, e, w)`: a buffer with
 * the packet's start and end. Returns null for a program with a loop, or one that is too large.
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

/** The inputs of source generation; `base` is the expression of the packet's start. */
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
      // If X is certainly small, the unsigned conversion is left out, and the index stays a small integer.
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

/** Returns a jump as a statement; empty if the target is the next instruction. */
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
