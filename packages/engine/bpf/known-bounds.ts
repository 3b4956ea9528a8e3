/**
 * Facts that hold before each instruction on every path to it: the minimum length of the packet, because an earlier load would
 * otherwise have ended the program, and whether X is small. They save checks and change no verdict.
 */
import * as op from "./instructions.ts";

/** With X below this, `x + k` loses no precision and, for real packets, stays within V8's small integers. */
const SMALL_INDEX = 0x10000;

export class KnownBounds {
  readonly #lengths: Float64Array;
  readonly #smallIndex: Uint8Array;

  /** @param program whose jumps all go forward. */
  constructor(program: op.BpfProgram) {
    this.#lengths = new Float64Array(program.length).fill(Number.POSITIVE_INFINITY);
    this.#smallIndex = new Uint8Array(program.length).fill(1);
    this.#lengths[0] = 0;
    for (let at = 0; at < program.length; at += 1) this.#step(at, program[at]!);
  }

  /** Returns the packet's minimum length in bytes when this instruction runs. */
  lengthBefore(at: number): number {
    return this.#lengths[at]!;
  }

  isIndexSmallBefore(at: number): boolean {
    return this.#smallIndex[at] === 1;
  }

  #step(at: number, { code, jt, jf, k }: op.Instruction): void {
    if (op.classOf(code) === op.RET) return;
    const length = Math.max(this.#lengths[at]!, lengthNeeded(code, k));
    const small = isIndexSmallAfter(code, k, this.#smallIndex[at] === 1);
    if (op.classOf(code) !== op.JMP) {
      this.#reach(at + 1, length, small);
    } else if (op.operationOf(code) === op.JA) {
      this.#reach(at + 1 + k, length, small);
    } else {
      this.#reach(at + 1 + jt, length, small);
      this.#reach(at + 1 + jf, length, small);
    }
  }

  #reach(target: number, length: number, small: boolean): void {
    if (length < this.#lengths[target]!) this.#lengths[target] = length;
    if (!small) this.#smallIndex[target] = 0;
  }
}

function lengthNeeded(code: number, k: number): number {
  const kind = op.classOf(code);
  if (kind === op.LD && op.modeOf(code) === op.ABS) return k + op.bytesOf(op.sizeOf(code));
  return kind === op.LDX && op.modeOf(code) === op.MSH ? k + 1 : 0;
}

function isIndexSmallAfter(code: number, k: number, before: boolean): boolean {
  if (op.classOf(code) === op.LDX) {
    const mode = op.modeOf(code);
    return mode === op.MSH || (mode === op.IMM && k < SMALL_INDEX);
  }
  return code === (op.MISC | op.TAX) ? false : before;
}
