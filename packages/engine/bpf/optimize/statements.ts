/** Executes one instruction on value numbers; with `alter`, also simplifies the instruction. */
import { REMOVED } from "../assemble.ts";
import type { Statement } from "../flow.ts";
import * as op from "../instructions.ts";
import { A_ATOM, memoryAtom, X_ATOM } from "./graph.ts";
import { OptimizerFault, type Progress } from "./progress.ts";
import { UNKNOWN, type ValueNumbers } from "./value-numbers.ts";

/** The value numbers of the current block. */
export type Values = number[];

export class StatementFolder {
  readonly numbers: ValueNumbers;
  readonly progress: Progress;
  readonly alter: boolean;

  constructor(numbers: ValueNumbers, progress: Progress, alter: boolean) {
    this.numbers = numbers;
    this.progress = progress;
    this.alter = alter;
  }

  execute(item: Statement, values: Values): void {
    if (item.code === REMOVED) return;
    switch (op.classOf(item.code)) {
      case op.LD:
        this.#load(item, values);
        return;
      case op.LDX:
        this.#loadIndex(item, values);
        return;
      case op.ST:
        this.#store(item, values, memoryAtom(item.k), values[A_ATOM]!);
        return;
      case op.STX:
        this.#store(item, values, memoryAtom(item.k), values[X_ATOM]!);
        return;
      case op.ALU:
        this.#arithmetic(item, values);
        return;
      case op.MISC:
        if (item.code === (op.MISC | op.TAX)) this.#store(item, values, X_ATOM, values[A_ATOM]!);
        else this.#store(item, values, A_ATOM, values[X_ATOM]!);
        return;
    }
  }

  /** Stores `value` in an atom; removes the instruction if the atom already has that value. */
  #store(item: Statement, values: Values, atom: number, value: number): void {
    if (this.alter && value !== UNKNOWN && values[atom] === value) item.code = REMOVED;
    else values[atom] = value;
  }

  #load(item: Statement, values: Values): void {
    switch (op.modeOf(item.code)) {
      case op.IND:
        this.#loadIndirect(item, values);
        return;
      case op.MEM:
        this.#loadMemory(item, values, A_ATOM, op.LD | op.IMM);
        return;
      case op.IMM:
        this.#store(item, values, A_ATOM, this.numbers.constant(item.k));
        return;
      case op.LEN:
        this.#store(item, values, A_ATOM, this.numbers.of(item.code, 0, 0));
        return;
      default:
        this.#store(item, values, A_ATOM, this.numbers.of(item.code, item.k, 0));
    }
  }

  #loadIndirect(item: Statement, values: Values): void {
    const index = values[X_ATOM]!;
    let value: number;
    if (this.alter && this.numbers.isConstant(index)) {
      item.code = op.LD | op.ABS | op.sizeOf(item.code);
      item.k = (item.k + this.numbers.constantOf(index)) >>> 0;
      value = this.numbers.of(item.code, item.k, 0);
      this.progress.markStatements();
    } else {
      // As in libpcap, any two unknown values of X count as equal; its programs depend on this.
      value = this.numbers.of(item.code, item.k, index);
    }
    this.#store(item, values, A_ATOM, value);
  }

  #loadMemory(item: Statement, values: Values, atom: number, immediate: number): void {
    const value = values[memoryAtom(item.k)]!;
    if (this.alter && this.numbers.isConstant(value)) {
      item.code = immediate;
      item.k = this.numbers.constantOf(value);
      this.progress.markStatements();
    }
    this.#store(item, values, atom, value);
  }

  #loadIndex(item: Statement, values: Values): void {
    switch (op.modeOf(item.code)) {
      case op.MEM:
        this.#loadMemory(item, values, X_ATOM, op.LDX | op.IMM);
        return;
      case op.IMM:
        this.#store(item, values, X_ATOM, this.numbers.constant(item.k));
        return;
      default:
        this.#store(item, values, X_ATOM, this.numbers.of(item.code, item.k, 0));
    }
  }

  #arithmetic(item: Statement, values: Values): void {
    if (op.operationOf(item.code) === op.NEG) this.#negate(item, values);
    else if (op.sourceOf(item.code) === op.X) this.#withIndex(item, values);
    else this.#withConstant(item, values);
  }

  #negate(item: Statement, values: Values): void {
    const value = values[A_ATOM]!;
    if (this.alter && this.numbers.isConstant(value)) {
      item.code = op.LD | op.IMM;
      item.k = -this.numbers.constantOf(value) >>> 0;
      values[A_ATOM] = this.numbers.constant(item.k);
    } else {
      values[A_ATOM] = this.numbers.of(item.code, value, 0);
    }
  }

  #withConstant(item: Statement, values: Values): void {
    const operation = op.operationOf(item.code);
    if (this.alter) {
      if (item.k === 0 && this.#withZero(item, values, operation)) return;
      if (this.numbers.isConstant(values[A_ATOM]!)) {
        this.#fold(item, values, item.k);
        return;
      }
    }
    values[A_ATOM] = this.numbers.of(item.code, values[A_ATOM]!, this.numbers.constant(item.k));
  }

  /** Returns true if it handled an operation with the constant zero completely. */
  #withZero(item: Statement, values: Values, operation: number): boolean {
    switch (operation) {
      case op.ADD:
      case op.LSH:
      case op.RSH:
      case op.OR:
      case op.XOR:
        item.code = REMOVED;
        return true;
      case op.MUL:
      case op.AND:
        item.code = op.LD | op.IMM;
        values[A_ATOM] = this.numbers.constant(0);
        return true;
      case op.DIV:
      case op.MOD:
        throw new OptimizerFault("bpf.division-by-zero", "the expression divides by a constant zero");
      default:
        return false;
    }
  }

  #withIndex(item: Statement, values: Values): void {
    const operation = op.operationOf(item.code);
    const { [A_ATOM]: a = 0, [X_ATOM]: x = 0 } = values;
    if (this.alter && this.numbers.isConstant(x)) {
      if (this.numbers.isConstant(a)) this.#fold(item, values, this.numbers.constantOf(x));
      else this.#useConstant(item, values, this.numbers.constantOf(x));
    } else if (this.alter && this.numbers.isConstant(a) && this.numbers.constantOf(a) === 0) {
      this.#fromZero(item, values, operation);
    } else {
      values[A_ATOM] = this.numbers.of(item.code, a, x);
    }
  }

  /** Replaces a known X by a constant in the instruction. */
  #useConstant(item: Statement, values: Values, k: number): void {
    const operation = op.operationOf(item.code);
    if ((operation === op.LSH || operation === op.RSH) && k > 31) {
      throw new OptimizerFault("bpf.division-by-zero", "the expression shifts by more than 31 bits");
    }
    item.code = op.ALU | op.K | operation;
    item.k = k;
    this.progress.markStatements();
    values[A_ATOM] = this.numbers.of(item.code, values[A_ATOM]!, this.numbers.constant(k));
  }

  /** Simplifies an operation on a zero A and an unknown X. */
  #fromZero(item: Statement, values: Values, operation: number): void {
    switch (operation) {
      case op.ADD:
      case op.OR:
      case op.XOR:
        item.code = op.MISC | op.TXA;
        this.#store(item, values, A_ATOM, values[X_ATOM]!);
        return;
      case op.SUB:
        values[A_ATOM] = this.numbers.of(item.code, values[A_ATOM]!, values[X_ATOM]!);
        return;
      default:
        // Also 0 / X and 0 % X: the program no longer rejects a packet in which X is zero.
        item.code = op.LD | op.IMM;
        item.k = 0;
        this.#store(item, values, A_ATOM, this.numbers.constant(0));
    }
  }

  /** Computes an operation on two known operands. */
  #fold(item: Statement, values: Values, k: number): void {
    item.k = foldConstants(op.operationOf(item.code), this.numbers.constantOf(values[A_ATOM]!), k);
    item.code = op.LD | op.IMM;
    this.progress.markStatements();
    values[A_ATOM] = this.numbers.constant(item.k);
  }
}

function foldConstants(operation: number, a: number, b: number): number {
  switch (operation) {
    case op.ADD:
      return (a + b) >>> 0;
    case op.SUB:
      return (a - b) >>> 0;
    case op.MUL:
      return Math.imul(a, b) >>> 0;
    case op.DIV:
      if (b === 0)
        throw new OptimizerFault("bpf.division-by-zero", "the expression divides by a constant zero");
      return Math.floor(a / b);
    case op.MOD:
      if (b === 0)
        throw new OptimizerFault("bpf.division-by-zero", "the expression divides by a constant zero");
      return a % b;
    case op.AND:
      return (a & b) >>> 0;
    case op.OR:
      return (a | b) >>> 0;
    case op.XOR:
      return (a ^ b) >>> 0;
    case op.LSH:
      return b < 32 ? (a << b) >>> 0 : 0;
    default:
      return b < 32 ? a >>> b : 0;
  }
}
