/**
 * Things that wait for a time, taken in order of time and then of arrival. Most come in order of their time, so they wait in a ring;
 * only one that overtakes others waits in a heap.
 */
import { EventQueue } from "../../base/event-queue.ts";

export class WaitingLine<T> {
  #times = new Float64Array(64);
  #items: (T | undefined)[] = new Array(64).fill(undefined);
  #head = 0;
  #length = 0;
  #lastNs = Number.NEGATIVE_INFINITY;
  /** The time of the first thing in the ring, and of the first of all. */
  #firstNs = Number.POSITIVE_INFINITY;
  #nextNs = Number.POSITIVE_INFINITY;
  readonly #early = new EventQueue<T>();
  #nowNs = 0;

  freeze() {
    const mask = this.#items.length - 1;
    const ring = Array.from({ length: this.#length }, (_, index): [number, T] => {
      const at = (this.#head + index) & mask;
      return [this.#times[at] as number, this.#items[at] as T];
    });
    return { ring, early: this.#early.entries(), nowNs: this.#nowNs };
  }

  /** Fills an empty line. */
  thaw({ ring, early, nowNs }: ReturnType<WaitingLine<T>["freeze"]>): void {
    for (const [atNs, item] of ring) this.push(atNs, item);
    for (const [atNs, item] of early) this.#early.push(atNs, item);
    this.#nextNs = Math.min(this.#firstNs, this.#early.nextTimeNs);
    this.#nowNs = nowNs;
  }

  get size(): number {
    return this.#length + this.#early.size;
  }

  /** The time of the thing that was taken last. */
  get nowNs(): number {
    return this.#nowNs;
  }

  /** Infinity if nothing waits. */
  get nextTimeNs(): number {
    return this.#nextNs;
  }

  push(atNs: number, item: T): void {
    if (this.#length > 0 && atNs < this.#lastNs) {
      this.#early.push(atNs, item);
      if (atNs < this.#nextNs) this.#nextNs = atNs;
      return;
    }
    if (this.#length === this.#items.length) this.#grow();
    const at = (this.#head + this.#length) & (this.#items.length - 1);
    this.#times[at] = atNs;
    this.#items[at] = item;
    this.#length += 1;
    this.#lastNs = atNs;
    if (this.#length === 1) {
      this.#firstNs = atNs;
      if (atNs < this.#nextNs) this.#nextNs = atNs;
    }
  }

  /** Takes the thing with the earliest time; undefined if nothing waits. */
  pop(): T | undefined {
    if (this.#early.size > 0 && this.#early.nextTimeNs < this.#firstNs) {
      this.#nowNs = this.#nextNs;
      const item = this.#early.pop();
      this.#nextNs = Math.min(this.#firstNs, this.#early.nextTimeNs);
      return item;
    }
    if (this.#length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#items.length - 1);
    this.#length -= 1;
    this.#nowNs = this.#firstNs;
    this.#firstNs = this.#length === 0 ? Number.POSITIVE_INFINITY : (this.#times[this.#head] as number);
    this.#nextNs = this.#early.size === 0 ? this.#firstNs : Math.min(this.#firstNs, this.#early.nextTimeNs);
    return item;
  }

  #grow(): void {
    const { length } = this.#items;
    const times = new Float64Array(2 * length);
    const items = new Array<T | undefined>(2 * length).fill(undefined);
    for (let index = 0; index < length; index++) {
      const from = (this.#head + index) & (length - 1);
      times[index] = this.#times[from] as number;
      items[index] = this.#items[from];
    }
    this.#times = times;
    this.#items = items;
    this.#head = 0;
  }
}
