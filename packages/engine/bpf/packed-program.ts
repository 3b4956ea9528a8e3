/**
 * A program as columns of numbers. With one object per instruction, V8's garbage collector would move the 90,000 objects of a
 * large program several times before the first packet arrives, which takes longer than compiling them.
 */
import type { BpfProgram, Instruction } from "./instructions.ts";

export type PackedProgram = {
  readonly length: number;
  readonly codes: Uint8Array;
  readonly jumpsTrue: Uint8Array;
  readonly jumpsFalse: Uint8Array;
  /** Unsigned. */
  readonly constants: Uint32Array;
};

const FIRST_CAPACITY = 256;

/** Writes a program from its end backwards. */
export class ProgramWriter {
  /** Instructions written so far. */
  length = 0;
  #capacity = FIRST_CAPACITY;
  #codes = new Uint8Array(FIRST_CAPACITY);
  #jumpsTrue = new Uint8Array(FIRST_CAPACITY);
  #jumpsFalse = new Uint8Array(FIRST_CAPACITY);
  #constants = new Uint32Array(FIRST_CAPACITY);

  prepend(code: number, jt: number, jf: number, k: number): void {
    if (this.length === this.#capacity) this.#grow();
    this.length += 1;
    const at = this.#capacity - this.length;
    this.#codes[at] = code;
    this.#jumpsTrue[at] = jt;
    this.#jumpsFalse[at] = jf;
    this.#constants[at] = k;
  }

  finish(): PackedProgram {
    const start = this.#capacity - this.length;
    return {
      length: this.length,
      codes: this.#codes.subarray(start),
      jumpsTrue: this.#jumpsTrue.subarray(start),
      jumpsFalse: this.#jumpsFalse.subarray(start),
      constants: this.#constants.subarray(start),
    };
  }

  #grow(): void {
    const { codes, jumpsTrue, jumpsFalse, constants } = this.finish();
    this.#capacity *= 2;
    const start = this.#capacity - this.length;
    this.#codes = new Uint8Array(this.#capacity);
    this.#jumpsTrue = new Uint8Array(this.#capacity);
    this.#jumpsFalse = new Uint8Array(this.#capacity);
    this.#constants = new Uint32Array(this.#capacity);
    this.#codes.set(codes, start);
    this.#jumpsTrue.set(jumpsTrue, start);
    this.#jumpsFalse.set(jumpsFalse, start);
    this.#constants.set(constants, start);
  }
}

export function pack(program: BpfProgram): PackedProgram {
  const writer = new ProgramWriter();
  for (let at = program.length - 1; at >= 0; at -= 1) {
    const { code, jt, jf, k } = program[at]!;
    writer.prepend(code, jt, jf, k);
  }
  return writer.finish();
}

export function unpack({ length, codes, jumpsTrue, jumpsFalse, constants }: PackedProgram): BpfProgram {
  const program: Instruction[] = [];
  for (let at = 0; at < length; at += 1) {
    program.push({ code: codes[at]!, jt: jumpsTrue[at]!, jf: jumpsFalse[at]!, k: constants[at]! });
  }
  return program;
}
