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
import { interpret, jumpsBack, type PacketPredicate } from "./vm.ts";

/** Each jump target is a level of nesting to V8's parser, which recurses: twice as many still fit a default stack. */
const MAX_GENERATED_INSTRUCTIONS = 1500;

/** Judges a packet that lies in a larger buffer, from `start` to `end`, without a view of it. */
export type InPlacePredicate = (bytes: Uint8Array, start: number, end: number, wireLength: number) => boolean;

/** The fastest predicate for this program. */
export function makePredicate(program: op.BpfProgram): PacketPredicate {
  return isGenerated(program)
    ? (new Function("p", "w", generateSource(program)) as PacketPredicate)
    : interpret(program);
}

/** The same for packets in place. */
export function makeInPlacePredicate(program: op.BpfProgram): InPlacePredicate {
  if (isGenerated(program))
    return new Function("p", "s", "e", "w", generateSource(program, "s+")) as InPlacePredicate;
  const predicate = interpret(program);
  return (bytes, start, end, wireLength) => predicate(bytes.subarray(start, end), wireLength);
}

const isGenerated = (program: op.BpfProgram): boolean =>
  program.length <= MAX_GENERATED_INSTRUCTIONS && !program.some(jumpsBack);

/**
 * The body of `function (p, w)`: packet and wire length; or, with `base`, of `function (p, s, e, w)`: a buffer, and where
 * in it the packet lies.
 */
export function generateSource(program: op.BpfProgram, base: "" | "s+" = ""): string {
  const targets = findTargets(program);
  const bounds = new KnownBounds(program);
  const body = program.map((instruction, at) => {
    const close = targets.has(at) ? "}" : "";
    return close + generateInstruction(program, instruction, at, { bounds, base });
  });
  const open = [...targets].sort((a, b) => b - a).map((at) => `L${at}:{`);
  return [declare(program, base), ...open, ...body].join("\n");
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

/** Instructions that some jump goes to by a `break`: not the next one, and not a return. */
function findTargets(program: op.BpfProgram): Set<number> {
  const targets = new Set<number>();
  const add = (at: number, from: number): void => {
    if (at !== from + 1 && op.classOf(program[at]!.code) !== op.RET) targets.add(at);
  };
  for (const [at, { code, jt, jf, k }] of program.entries()) {
    if (op.classOf(code) !== op.JMP) continue;
    if (op.operationOf(code) === op.JA) {
      add(at + 1 + k, at);
    } else {
      add(at + 1 + jt, at);
      add(at + 1 + jf, at);
    }
  }
  return targets;
}

/** How bytes are read: what is known of lengths and indexes, and where the packet begins. */
interface Reading {
  readonly bounds: KnownBounds;
  readonly base: string;
}

function generateInstruction(
  program: op.BpfProgram,
  instruction: op.Instruction,
  at: number,
  reading: Reading,
): string {
  const { code, k } = instruction;
  switch (op.classOf(code)) {
    case op.RET:
      return k === 0 ? "return false;" : "return true;";
    case op.LD:
      return generateLoad(code, k, at, reading);
    case op.LDX:
      return generateIndexLoad(code, k, at, reading);
    case op.ST:
      return `m${k}=a;`;
    case op.STX:
      return `m${k}=x;`;
    case op.ALU:
      return generateArithmetic(code, k);
    case op.JMP:
      return generateJump(program, instruction, at);
    default:
      return code === (op.MISC | op.TAX) ? "x=a;" : "a=x;";
  }
}

function generateLoad(code: number, k: number, at: number, { bounds, base }: Reading): string {
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

function generateIndexLoad(code: number, k: number, at: number, { bounds, base }: Reading): string {
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

function generateJump(program: op.BpfProgram, { code, jt, jf, k }: op.Instruction, at: number): string {
  if (op.operationOf(code) === op.JA) return goTo(program, at + 1 + k, at);
  const whenTrue = goTo(program, at + 1 + jt, at);
  const whenFalse = goTo(program, at + 1 + jf, at);
  if (whenTrue === whenFalse) return whenTrue;
  const condition = generateCondition(code, k);
  if (whenTrue === "") return `if(!(${condition}))${whenFalse}`;
  return whenFalse === "" ? `if(${condition})${whenTrue}` : `if(${condition})${whenTrue}else ${whenFalse}`;
}

/** A jump as a statement; empty where it is to the next instruction. */
function goTo(program: op.BpfProgram, target: number, from: number): string {
  const { code, k } = program[target]!;
  if (op.classOf(code) === op.RET) return k === 0 ? "return false;" : "return true;";
  return target === from + 1 ? "" : `break L${target};`;
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
