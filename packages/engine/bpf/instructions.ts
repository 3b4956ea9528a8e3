/**
 * The instruction set of the BSD Packet Filter as libpcap and the kernels number it: a 32-bit accumulator A, an index
 * register X, sixteen words of scratch memory, and loads from the packet that end the program when they run past its end.
 *
 * Source: S. McCanne, V. Jacobson, "The BSD Packet Filter", USENIX Winter 1993; bpf(4).
 */

/** Instruction classes: the low three bits. */
export const LD = 0x00;
export const LDX = 0x01;
export const ST = 0x02;
export const STX = 0x03;
export const ALU = 0x04;
export const JMP = 0x05;
export const RET = 0x06;
export const MISC = 0x07;

/** Load sizes. */
export const W = 0x00;
export const H = 0x08;
export const B = 0x10;

/** Load modes. */
export const IMM = 0x00;
export const ABS = 0x20;
export const IND = 0x40;
export const MEM = 0x60;
export const LEN = 0x80;
export const MSH = 0xa0;

/** Arithmetic. */
export const ADD = 0x00;
export const SUB = 0x10;
export const MUL = 0x20;
export const DIV = 0x30;
export const OR = 0x40;
export const AND = 0x50;
export const LSH = 0x60;
export const RSH = 0x70;
export const NEG = 0x80;
export const MOD = 0x90;
export const XOR = 0xa0;

/** Jumps. */
export const JA = 0x00;
export const JEQ = 0x10;
export const JGT = 0x20;
export const JGE = 0x30;
export const JSET = 0x40;

/** Sources of the second operand. */
export const K = 0x00;
export const X = 0x08;

/** Register transfers. */
export const TAX = 0x00;
export const TXA = 0x80;

/** Words of scratch memory. */
export const MEMORY_WORDS = 16;

export type LoadSize = typeof W | typeof H | typeof B;

export function classOf(code: number): number {
  return code & 0x07;
}

export function sizeOf(code: number): number {
  return code & 0x18;
}

export function modeOf(code: number): number {
  return code & 0xe0;
}

export function operationOf(code: number): number {
  return code & 0xf0;
}

export function sourceOf(code: number): number {
  return code & 0x08;
}

/** Returns how many bytes a load of this size reads. */
export function bytesOf(size: number): number {
  return size === W ? 4 : size === H ? 2 : 1;
}

/** One instruction of a finished program. `jt` and `jf` count the instructions to skip; `k` is unsigned. */
export type Instruction = {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
};

export type BpfProgram = readonly Instruction[];
