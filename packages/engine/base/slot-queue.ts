/**
 * Slots (small numbers) that wait for a time, taken in order of (time, insertion). Most things that wait on a link are due within half
 * a second and in nearly the order in which they came, so they wait in buckets of 2^17 ns:
 *
 *     bucket:   | sorted | list | list | ... | list |      and an event queue for what is due later
 *               taken ->
 *
 * The first bucket is sorted when its time comes. That is a few operations on a few neighbouring numbers for each slot, where a heap
 * of all slots needs some at each of its levels.
 */
import { EventQueue } from "./event-queue.ts";

const BUCKET_NS = 131_072;
/** A power of two. */
const BUCKETS = 4_096;
/** A longer sorted list would be costly to sort by insertion. */
const MAX_SORTED = 256;
const INITIAL_SLOTS = 64;
const NONE = -1;

export class SlotQueue {
  /** By slot: its time, its number in the order of insertion, and the slot before it in its bucket. */
  #times = new Float64Array(INITIAL_SLOTS);
  #sequences = new Float64Array(INITIAL_SLOTS);
  #before = new Int32Array(INITIAL_SLOTS);
  /** The last slot of each bucket. */
  readonly #buckets = new Int32Array(BUCKETS).fill(NONE);
  readonly #lengths = new Uint16Array(BUCKETS);
  #inBuckets = 0;
  /** The slots of all buckets up to `#sortedTo`, from `#head` to `#end`. */
  readonly #sorted = new Int32Array(MAX_SORTED);
  #head = 0;
  #end = 0;
  #sortedTo = 0;
  readonly #others = new EventQueue<number>();
  #nextSequence = 0;
  #nowNs = 0;
  #nextNs = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#end - this.#head + this.#inBuckets + this.#others.size;
  }

  /** The clock: the time of the last slot that was taken, or of the last `advanceTo`; 0 at first. */
  get nowNs(): number {
    return this.#nowNs;
  }

  /** The time of the next slot; Infinity if none waits. */
  get nextTimeNs(): number {
    return this.#nextNs;
  }

  /** Moves the clock forward; no slot may be due before. */
  advanceTo(timeNs: number): void {
    this.#nowNs = timeNs;
  }

  /** @param timeNs a safe integer, not before the clock. @param slot one that does not wait already. */
  push(timeNs: number, slot: number): void {
    while (slot >= this.#times.length) this.#grow();
    this.#times[slot] = timeNs;
    this.#sequences[slot] = this.#nextSequence++;
    const bucket = Math.floor(timeNs / BUCKET_NS);
    if (this.#head === this.#end && this.#inBuckets === 0)
      this.#sortedTo = Math.floor(this.#nowNs / BUCKET_NS);
    if (bucket <= this.#sortedTo) this.#insert(timeNs, slot);
    else if (bucket < this.#sortedTo + BUCKETS) this.#append(bucket & (BUCKETS - 1), timeNs, slot);
    else this.#others.push(timeNs, slot);
    if (timeNs < this.#nextNs) this.#nextNs = timeNs;
  }

  /** Takes the next slot and moves the clock to its time; undefined if none waits. */
  pop(): number | undefined {
    if (this.#nextNs === Number.POSITIVE_INFINITY) return undefined;
    this.#nowNs = this.#nextNs;
    const slot = this.#isOtherFirst() ? (this.#others.pop() as number) : this.#takeSorted();
    if (this.#head === this.#end && this.#inBuckets > 0) this.#sortNext();
    const sortedNs =
      this.#head === this.#end ? Number.POSITIVE_INFINITY : (this.#times[this.#first] as number);
    this.#nextNs = Math.min(sortedNs, this.#others.nextTimeNs);
    return slot;
  }

  get #first(): number {
    return this.#sorted[this.#head] as number;
  }

  #takeSorted(): number {
    const slot = this.#first;
    this.#head += 1;
    return slot;
  }

  #isOtherFirst(): boolean {
    const otherNs = this.#others.nextTimeNs;
    if (otherNs === Number.POSITIVE_INFINITY) return false;
    if (this.#head === this.#end) return true;
    const first = this.#first;
    const firstNs = this.#times[first] as number;
    if (otherNs !== firstNs) return otherNs < firstNs;
    const other = this.#others.first as number;
    return (this.#sequences[other] as number) < (this.#sequences[first] as number);
  }

  /** Puts a slot among the sorted ones, behind those of its time. */
  #insert(timeNs: number, slot: number): void {
    if (this.#end === MAX_SORTED) this.#compact();
    if (this.#end === MAX_SORTED) {
      this.#others.push(timeNs, slot);
      return;
    }
    const sorted = this.#sorted;
    const times = this.#times;
    let at = this.#end;
    while (at > this.#head && (times[sorted[at - 1] as number] as number) > timeNs) {
      sorted[at] = sorted[at - 1] as number;
      at -= 1;
    }
    sorted[at] = slot;
    this.#end += 1;
  }

  #append(at: number, timeNs: number, slot: number): void {
    if (this.#lengths[at] === MAX_SORTED) {
      this.#others.push(timeNs, slot);
      return;
    }
    this.#before[slot] = this.#buckets[at] as number;
    this.#buckets[at] = slot;
    this.#lengths[at] = (this.#lengths[at] as number) + 1;
    this.#inBuckets += 1;
    // The first of all must be sorted, so that its time is known.
    if (this.#head === this.#end) this.#sortNext();
  }

  /** Sorts the next bucket that has slots. */
  #sortNext(): void {
    let at = 0;
    do {
      this.#sortedTo += 1;
      at = this.#sortedTo & (BUCKETS - 1);
    } while (this.#buckets[at] === NONE);
    const length = this.#lengths[at] as number;
    const sorted = this.#sorted;
    // The list begins with its last slot.
    let slot = this.#buckets[at] as number;
    for (let index = length - 1; index >= 0; index--) {
      sorted[index] = slot;
      slot = this.#before[slot] as number;
    }
    this.#buckets[at] = NONE;
    this.#lengths[at] = 0;
    this.#inBuckets -= length;
    this.#head = 0;
    this.#end = 0;
    const times = this.#times;
    for (let index = 1; index < length; index++) {
      const each = sorted[index] as number;
      const timeNs = times[each] as number;
      let to = index;
      while (to > 0 && (times[sorted[to - 1] as number] as number) > timeNs) {
        sorted[to] = sorted[to - 1] as number;
        to -= 1;
      }
      sorted[to] = each;
    }
    this.#end = length;
  }

  #compact(): void {
    this.#sorted.copyWithin(0, this.#head, this.#end);
    this.#end -= this.#head;
    this.#head = 0;
  }

  #grow(): void {
    const slots = 2 * this.#times.length;
    this.#times = copyInto(new Float64Array(slots), this.#times);
    this.#sequences = copyInto(new Float64Array(slots), this.#sequences);
    this.#before = copyInto(new Int32Array(slots), this.#before);
  }
}

function copyInto<T extends Float64Array | Int32Array>(larger: T, column: T): T {
  larger.set(column);
  return larger;
}
