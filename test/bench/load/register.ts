/**
 * A value that many connections write and read at once, each write with a new value. A read is correct if the write it returns
 * began before the read ended, and no other write happened entirely between that write and the read.
 */
interface Write {
  readonly value: number;
  readonly beginMs: number;
  /** Infinity while it is unknown whether and when the write took effect. */
  endMs: number;
}

export class Register {
  readonly #writes: Write[];
  #next: number;

  constructor(first: number) {
    this.#writes = [{ value: first, beginMs: -1, endMs: 0 }];
    this.#next = first + 1;
  }

  /** Returns a new value to write; the write counts as begun. */
  begin(nowMs: number): Write {
    const write = { value: this.#next++, beginMs: nowMs, endMs: Number.POSITIVE_INFINITY };
    this.#writes.push(write);
    return write;
  }

  /** Reports whether a read from `beginMs` to `endMs` may return the value. */
  mayBe(value: number, beginMs: number, endMs: number): boolean {
    const write = this.#writes.find((each) => each.value === value);
    if (write === undefined || write.beginMs > endMs) return false;
    return !this.#writes.some((later) => later.beginMs > write.endMs && later.endMs < beginMs);
  }
}
