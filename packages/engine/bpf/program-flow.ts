/**
 * Resolves the final targets of a program's jumps, and which instructions are reachable. A BPF branch reaches 255
 * instructions, so half of a large program are JAs that extend branches. Most of them resolve to a `return`.
 */
import * as op from "./instructions.ts";

export class ProgramFlow {
  /** The targets, in order, that some jump reaches by a `break`: neither the next instruction nor a return. */
  readonly targets: readonly number[];
  /** The number of reachable instructions, without returns that are only jump targets. */
  reachedCount = 0;
  readonly #program: op.BpfProgram;
  /** By instruction: the final target of a jump to it, past all JAs. */
  readonly #ends: Uint32Array;
  readonly #reached: Uint8Array;
  /** By instruction: the next reachable one. */
  readonly #next: Uint32Array;

  /** @param program whose jumps all go forward. */
  constructor(program: op.BpfProgram) {
    this.#program = program;
    this.#ends = new Uint32Array(program.length);
    this.#reached = new Uint8Array(program.length);
    this.#next = new Uint32Array(program.length);
    this.#findEnds();
    this.#findReached();
    this.#findNext();
    this.targets = this.#findTargets();
  }

  endOf(target: number): number {
    return this.#ends[target]!;
  }

  isReached(at: number): boolean {
    return this.#reached[at] === 1;
  }

  /** Returns true if no reachable instruction lies between the two. */
  isNext(from: number, target: number): boolean {
    return this.#next[from] === target;
  }

  #findEnds(): void {
    for (let at = this.#program.length - 1; at >= 0; at -= 1) {
      const { code, k } = this.#program[at]!;
      this.#ends[at] = isJumpAlways(code) ? this.#ends[at + 1 + k]! : at;
    }
  }

  #findReached(): void {
    this.#reached[0] = 1;
    for (let at = 0; at < this.#program.length; at += 1) {
      if (this.#reached[at] === 0) continue;
      this.reachedCount += 1;
      const { code } = this.#program[at]!;
      if (op.classOf(code) === op.JMP) this.#markEnds(at, this.#reached);
      else if (op.classOf(code) !== op.RET) this.#reached[at + 1] = 1;
    }
  }

  #findNext(): void {
    for (let at = this.#program.length - 2; at >= 0; at -= 1) {
      this.#next[at] = this.#reached[at + 1] === 1 ? at + 1 : this.#next[at + 1]!;
    }
  }

  #findTargets(): number[] {
    const jumpedTo = new Uint8Array(this.#program.length);
    for (let at = 0; at < this.#program.length; at += 1) {
      if (this.#reached[at] === 1 && op.classOf(this.#program[at]!.code) === op.JMP)
        this.#markEnds(at, jumpedTo);
    }
    const targets: number[] = [];
    for (let at = 0; at < jumpedTo.length; at += 1) if (jumpedTo[at] === 1) targets.push(at);
    return targets;
  }

  /** Marks the targets of a branch or a JA, except returns and, once `isNext` can be used, the next instruction. */
  #markEnds(at: number, marks: Uint8Array): void {
    const { code, jt, jf, k } = this.#program[at]!;
    if (isJumpAlways(code)) {
      this.#mark(at, at + 1 + k, marks);
    } else {
      this.#mark(at, at + 1 + jt, marks);
      this.#mark(at, at + 1 + jf, marks);
    }
  }

  #mark(from: number, target: number, marks: Uint8Array): void {
    const end = this.#ends[target]!;
    if (op.classOf(this.#program[end]!.code) === op.RET || this.isNext(from, end)) return;
    marks[end] = 1;
  }
}

function isJumpAlways(code: number): boolean {
  return op.classOf(code) === op.JMP && op.operationOf(code) === op.JA;
}
