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
  readonly #early = new EventQueue<T>();
  #nowNs = 0;

  get size(): number {
    return this.#length + this.#early.size;
  }

  /** The time of the thing that was taken last. */
  get nowNs(): number {
    return this.#nowNs;
  }

  /** Infinity if nothing waits. */
  get nextTimeNs(): number {
    const first = this.#length === 0 ? Number.POSITIVE_INFINITY : (this.#times[this.#head] as number);
    return this.#early.size === 0 ? first : Math.min(first, this.#early.nextTimeNs);
  }

  push(atNs: number, item: T): void {
    if (this.#length > 0 && atNs < this.#lastNs) {
      this.#early.push(atNs, item);
      return;
    }
    if (this.#length === this.#items.length) this.#grow();
    const at = (this.#head + this.#length) & (this.#items.length - 1);
    this.#times[at] = atNs;
    this.#items[at] = item;
    this.#length += 1;
    this.#lastNs = atNs;
  }

  /** Takes the thing with the earliest time; undefined if nothing waits. */
  pop(): T | undefined {
    const firstNs = this.#length === 0 ? Number.POSITIVE_INFINITY : (this.#times[this.#head] as number);
    if (this.#early.size > 0 && this.#early.nextTimeNs < firstNs) {
      this.#nowNs = this.#early.nextTimeNs;
      return this.#early.pop();
    }
    if (this.#length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#items.length - 1);
    this.#length -= 1;
    this.#nowNs = firstNs;
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
