/**
 * The run's agenda: events in virtual time, removed in order of (time, insertion).
 *
 * A 4-ary heap held in parallel arrays (times, sequences, payloads): O(log n) per event, no object per event, and half
 * the depth of a binary heap, so fewer cache misses.
 *
 *     position i: children 4i + 1 .. 4i + 4, parent (i - 1) >> 2
 *
 * The queue never removes an event from the middle. To cancel an event, the owner of its payload marks the payload, and
 * ignores it when it is removed.
 */

const INITIAL_CAPACITY = 64;

/** Events with payloads of one type `T`; time is integer nanoseconds from the run's start. */
export class EventQueue<T> {
  #times = new Float64Array(INITIAL_CAPACITY);
  #sequences = new Float64Array(INITIAL_CAPACITY);
  #payloads: (T | undefined)[] = new Array(INITIAL_CAPACITY).fill(undefined);
  #size = 0;
  #nextSequence = 0;
  #nowNs = 0;

  /** Events waiting. */
  get size(): number {
    return this.#size;
  }

  /** The clock: the time of the last removed event, or of the last `advanceTo`; 0 at first. */
  get nowNs(): number {
    return this.#nowNs;
  }

  /** The time of the next event; Infinity if there is none. */
  get nextTimeNs(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#times[0] as number);
  }

  /** The payload of the next event; undefined if there is none. */
  get first(): T | undefined {
    return this.#payloads[0];
  }

  /** The events that wait, in order, with their times. */
  entries(): [timeNs: number, payload: T][] {
    const places = Array.from({ length: this.#size }, (_, place) => place);
    const [times, sequences] = [this.#times, this.#sequences];
    places.sort((a, b) => times[a]! - times[b]! || sequences[a]! - sequences[b]!);
    return places.map((place) => [times[place]!, this.#payloads[place] as T]);
  }

  /** Adds an event at `timeNs`: a safe integer, not before the clock (else RangeError). Equal times keep insertion order. */
  push(timeNs: number, payload: T): void {
    if (!(timeNs >= this.#nowNs && Number.isSafeInteger(timeNs))) throw this.#refusal(timeNs);
    if (this.#size === this.#times.length) this.#grow();
    this.#climb(this.#size++, timeNs, this.#nextSequence++, payload);
  }

  /** Removes and returns the next event and moves the clock to its time; undefined if there is none. */
  pop(): T | undefined {
    if (this.#size === 0) return undefined;
    const payload = this.#payloads[0] as T;
    this.#nowNs = this.#times[0] as number;
    this.#size -= 1;
    this.#refill();
    return payload;
  }

  /** Moves the clock forward to `timeNs` without removing an event; none may be earlier (else RangeError). */
  advanceTo(timeNs: number): void {
    if (!(timeNs >= this.#nowNs && Number.isSafeInteger(timeNs))) throw this.#refusal(timeNs);
    if (timeNs > this.nextTimeNs) throw new RangeError(`event-queue: an event waits before ${timeNs} ns`);
    this.#nowNs = timeNs;
  }

  /** Puts an event at its position on the path from the hole at `from` to the root. */
  #climb(from: number, timeNs: number, sequence: number, payload: T): void {
    const times = this.#times;
    const sequences = this.#sequences;
    const payloads = this.#payloads;
    let hole = from;
    while (hole > 0) {
      const parent = (hole - 1) >> 2;
      const parentTime = times[parent] as number;
      if (parentTime < timeNs || (parentTime === timeNs && (sequences[parent] as number) < sequence)) break;
      times[hole] = parentTime;
      sequences[hole] = sequences[parent] as number;
      payloads[hole] = payloads[parent];
      hole = parent;
    }
    times[hole] = timeNs;
    sequences[hole] = sequence;
    payloads[hole] = payload;
  }

  /**
   * Fills the hole at the root with the last event, bottom-up (Wegener 1993): the hole sinks to a leaf and the event
   * climbs from there. It nearly always belongs near the leaves, so this saves a comparison per level.
   */
  #refill(): void {
    const last = this.#size;
    const payload = this.#payloads[last] as T;
    this.#payloads[last] = undefined;
    if (last > 0)
      this.#climb(this.#sinkHole(), this.#times[last] as number, this.#sequences[last] as number, payload);
  }

  /** Moves the hole at the root down to a leaf, moving the earliest child up at each level; returns the leaf. */
  #sinkHole(): number {
    const times = this.#times;
    const sequences = this.#sequences;
    const payloads = this.#payloads;
    const size = this.#size;
    let hole = 0;
    for (let first = 1; first < size; first = 4 * hole + 1) {
      const end = Math.min(first + 4, size);
      let best = first;
      let bestTime = times[first] as number;
      for (let child = first + 1; child < end; child++) {
        const time = times[child] as number;
        if (
          time < bestTime ||
          (time === bestTime && (sequences[child] as number) < (sequences[best] as number))
        ) {
          best = child;
          bestTime = time;
        }
      }
      times[hole] = bestTime;
      sequences[hole] = sequences[best] as number;
      payloads[hole] = payloads[best];
      hole = best;
    }
    return hole;
  }

  #grow(): void {
    const capacity = this.#times.length * 2;
    this.#times = enlarged(this.#times, capacity);
    this.#sequences = enlarged(this.#sequences, capacity);
    while (this.#payloads.length < capacity) this.#payloads.push(undefined);
  }

  #refusal(timeNs: number): RangeError {
    if (!Number.isSafeInteger(timeNs))
      return new RangeError(`event-queue: ${timeNs} ns is not a safe integer`);
    return new RangeError(`event-queue: ${timeNs} ns is in the past, the clock is at ${this.#nowNs} ns`);
  }
}

function enlarged(array: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(capacity);
  larger.set(array);
  return larger;
}
