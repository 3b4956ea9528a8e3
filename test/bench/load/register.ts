/**
 * A value that many write and read at once, each write another one. A read is right when some write that had begun before the
 * read was over may have been the last one: no other was made wholly between the two.
 */
interface Write {
  readonly value: number;
  readonly beginMs: number;
  /** Infinite while it is not known whether and when it took effect. */
  endMs: number;
}

export class Register {
  readonly #writes: Write[];
  #next: number;

  constructor(first: number) {
    this.#writes = [{ value: first, beginMs: -1, endMs: 0 }];
    this.#next = first + 1;
  }

  /** A value that has not been written yet; the write counts as begun. */
  begin(nowMs: number): Write {
    const write = { value: this.#next++, beginMs: nowMs, endMs: Number.POSITIVE_INFINITY };
    this.#writes.push(write);
    return write;
  }

  /** Whether a read that took from `beginMs` to `endMs` may have found the value. */
  mayBe(value: number, beginMs: number, endMs: number): boolean {
    const write = this.#writes.find((each) => each.value === value);
    if (write === undefined || write.beginMs > endMs) return false;
    return !this.#writes.some((later) => later.beginMs > write.endMs && later.endMs < beginMs);
  }
}
