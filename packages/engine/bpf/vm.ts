/**
 * The BPF interpreter. It runs the programs that are not compiled to JavaScript - very large ones and those with a loop - and
 * serves as the standard in tests of the generated code.
 *
 * Only `protochain` makes loops. A loop ends after as many rounds as it can have distinct states. libpcap has no such limit
 * and never returns for a packet whose authentication header leads back to itself.
 */
import * as op from "./instructions.ts";
import { type PackedProgram, pack } from "./packed-program.ts";

export type PacketPredicate = (packet: Uint8Array, wireLength: number) => boolean;

/** The predicate returns true if the program returns non-zero. A load past the captured bytes or a division by zero rejects. */
export function interpret(program: op.BpfProgram): PacketPredicate {
  return interpretPacked(pack(program));
}

export function interpretPacked(program: PackedProgram): PacketPredicate {
  const memory = new Uint32Array(op.MEMORY_WORDS);
  const rounds = new RoundLimit(program);
  return (packet, wireLength) => {
    memory.fill(0);
    return run(program, memory, packet, wireLength, rounds) !== 0;
  };
}

export function jumpsBack(code: number, k: number): boolean {
  return code === (op.JMP | op.JA | op.K) && (k | 0) < 0;
}

/**
 * A round of a `protochain` loop depends only on X, an offset in the packet, and on the kind (one of two) of header it skips.
 * So rounds repeat after twice the packet's length, plus a few starting states.
 */
const LOOP_START_STATES = 4;

/** Counts the loops of a program when the first one repeats; most programs have none, and many instructions. */
class RoundLimit {
  readonly #program: PackedProgram;
  #loops: number | null = null;

  constructor(program: PackedProgram) {
    this.#program = program;
  }

  /** Rounds of all loops together. */
  of(packet: Uint8Array): number {
    this.#loops ??= countLoops(this.#program);
    return this.#loops * (2 * packet.length + LOOP_START_STATES);
  }
}

function countLoops({ length, codes, constants }: PackedProgram): number {
  let loops = 0;
  for (let at = 0; at < length; at += 1) if (jumpsBack(codes[at]!, constants[at]!)) loops += 1;
  return loops;
}

/** The result of a read past the end; no field of one, two or four bytes has this value. */
const OUT_OF_RANGE = -1;

function read(packet: Uint8Array, at: number, size: number): number {
  if (at + op.bytesOf(size) > packet.length) return OUT_OF_RANGE;
  switch (size) {
    case op.W:
      return ((packet[at]! << 24) | (packet[at + 1]! << 16) | (packet[at + 2]! << 8) | packet[at + 3]!) >>> 0;
    case op.H:
      return (packet[at]! << 8) | packet[at + 1]!;
    default:
      return packet[at]!;
  }
}

/** Returns the program's result; 0, to reject, if it jumped back more often than `limit`. `memory` must be all zero. */
function run(
  { codes, jumpsTrue, jumpsFalse, constants }: PackedProgram,
  memory: Uint32Array,
  packet: Uint8Array,
  wireLength: number,
  limit: RoundLimit,
): number {
  let rounds = 0;
  let a = 0;
  let x = 0;
  for (let pc = 0; ; pc += 1) {
    const code = codes[pc]!;
    const k = constants[pc]!;
    switch (op.classOf(code)) {
      case op.RET:
        return k;
      case op.LD:
        a = loadA(code, k, x, packet, wireLength, memory);
        if (a === OUT_OF_RANGE) return 0;
        break;
      case op.LDX:
        x = loadX(code, k, packet, memory);
        if (x === OUT_OF_RANGE) return 0;
        break;
      case op.ST:
        memory[k] = a;
        break;
      case op.STX:
        memory[k] = x;
        break;
      case op.ALU: {
        const operand = op.sourceOf(code) === op.X ? x : k;
        const operation = op.operationOf(code);
        if (operand === 0 && (operation === op.DIV || operation === op.MOD)) return 0;
        a = compute(operation, a, operand);
        break;
      }
      case op.JMP:
        if (op.operationOf(code) === op.JA) {
          if ((k | 0) < 0 && ++rounds > limit.of(packet)) return 0;
          pc += k | 0;
        } else {
          pc += holds(code, a, op.sourceOf(code) === op.X ? x : k) ? jumpsTrue[pc]! : jumpsFalse[pc]!;
        }
        break;
      default:
        if (code === (op.MISC | op.TAX)) x = a;
        else a = x;
    }
  }
}

function loadA(
  code: number,
  k: number,
  x: number,
  packet: Uint8Array,
  wireLength: number,
  memory: Uint32Array,
): number {
  switch (op.modeOf(code)) {
    case op.ABS:
      return read(packet, k, op.sizeOf(code));
    case op.IND:
      return read(packet, x + k, op.sizeOf(code));
    case op.MEM:
      return memory[k]!;
    case op.LEN:
      return wireLength >>> 0;
    default:
      return k;
  }
}

function loadX(code: number, k: number, packet: Uint8Array, memory: Uint32Array): number {
  switch (op.modeOf(code)) {
    case op.MEM:
      return memory[k]!;
    case op.MSH:
      return k < packet.length ? (packet[k]! & 0xf) << 2 : OUT_OF_RANGE;
    default:
      return k;
  }
}

function compute(operation: number, a: number, b: number): number {
  switch (operation) {
    case op.ADD:
      return (a + b) >>> 0;
    case op.SUB:
      return (a - b) >>> 0;
    case op.MUL:
      return Math.imul(a, b) >>> 0;
    case op.DIV:
      return Math.floor(a / b);
    case op.MOD:
      return a % b;
    case op.AND:
      return (a & b) >>> 0;
    case op.OR:
      return (a | b) >>> 0;
    case op.XOR:
      return (a ^ b) >>> 0;
    case op.LSH:
      return b < 32 ? (a << b) >>> 0 : 0;
    case op.RSH:
      return b < 32 ? a >>> b : 0;
    default:
      return -a >>> 0;
  }
}

function holds(code: number, a: number, b: number): boolean {
  switch (op.operationOf(code)) {
    case op.JEQ:
      return a === b;
    case op.JGT:
      return a > b;
    case op.JGE:
      return a >= b;
    default:
      return (a & b) !== 0;
  }
}
