/**
 * Value numbering: expressions with equal numbers have equal values. A number represents an instruction applied to numbers;
 * 0 is "unknown". Constants are identified by their number. One table serves one pass over the graph.
 */
import { IMM, LD } from "../instructions.ts";

export const UNKNOWN = 0;

export class ValueNumbers {
  /** Chained hash table over (code, first, second), in parallel arrays; entry i is value number i. */
  #buckets = new Int32Array(256);
  readonly #codes: number[] = [0];
  readonly #firsts: number[] = [0];
  readonly #seconds: number[] = [0];
  readonly #next: number[] = [0];

  /** The number of value numbers. */
  get size(): number {
    return this.#codes.length - 1;
  }

  /** Returns the value number of `code` applied to two operands: value numbers, or immediate constants if the code takes them. */
  of(code: number, first: number, second: number): number {
    const bucket = this.#bucketOf(code, first, second);
    for (let value = this.#buckets[bucket]!; value !== 0; value = this.#next[value]!) {
      if (this.#codes[value] === code && this.#firsts[value] === first && this.#seconds[value] === second)
        return value;
    }
    return this.#add(code, first, second, bucket);
  }

  constant(k: number): number {
    return this.of(LD | IMM, k, 0);
  }

  isConstant(value: number): boolean {
    return value !== UNKNOWN && this.#codes[value] === (LD | IMM);
  }

  /** Returns the number of a constant. */
  constantOf(value: number): number {
    return this.#firsts[value]!;
  }

  #bucketOf(code: number, first: number, second: number): number {
    const mixed = Math.imul(code ^ Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b), 0xc2b2ae35);
    return (mixed >>> 8) & (this.#buckets.length - 1);
  }

  #add(code: number, first: number, second: number, bucket: number): number {
    const value = this.#codes.length;
    this.#codes.push(code);
    this.#firsts.push(first);
    this.#seconds.push(second);
    this.#next.push(this.#buckets[bucket]!);
    this.#buckets[bucket] = value;
    if (value > 2 * this.#buckets.length) this.#grow();
    return value;
  }

  #grow(): void {
    this.#buckets = new Int32Array(this.#buckets.length * 4);
    for (let value = 1; value < this.#codes.length; value += 1) {
      const bucket = this.#bucketOf(this.#codes[value]!, this.#firsts[value]!, this.#seconds[value]!);
      this.#next[value] = this.#buckets[bucket]!;
      this.#buckets[bucket] = value;
    }
  }
}
