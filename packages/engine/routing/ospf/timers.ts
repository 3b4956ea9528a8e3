/**
 * The timers of one OSPF process, as data: a name, the number of what it belongs to, and when it is due. The process asks its router for one
 * alarm, at `nextUs`.
 */

export const TIMERS = [
  "hello",
  "wait",
  "inactivity",
  "description",
  "request",
  "retransmit",
  "retry",
  "acknowledge",
  "flood",
  "originate",
  "correct",
  "spf",
  "age",
] as const;
export type TimerName = (typeof TIMERS)[number];

/** A run of the lab lasts until these have fired: their number is bounded after the last change of the network. A neighbour that never acknowledges is sent LSAs by `retry`. */
const KEEPS_RUNNING: ReadonlySet<TimerName> = new Set([
  "wait",
  "retransmit",
  "acknowledge",
  "flood",
  "originate",
  "spf",
]);

export interface Due {
  readonly name: TimerName;
  /** The number of the interface or neighbour; 0 for timers of the process. */
  readonly slot: number;
}

/** Times are what is left until a timer is due: no time passes between two runs. */
export type SavedTimer = readonly [name: TimerName, slot: number, inUs: number];

interface Timer extends Due {
  dueUs: number;
  /** Of timers that are due at one time, the one that was set first fires first. */
  order: number;
  /** The time at which the heap has it; a timer that moved away is put back when this time comes. */
  heapUs: number;
  /** The order by which the heap has it: it does not follow a timer that moves, or the heap would lose its order. */
  heapOrder: number;
}

export class Timers {
  /** By `keyOf`. */
  readonly #timers = new Map<number, Timer>();
  readonly #heap: Timer[] = [];
  #order = 0;
  /** How many of them keep a run going. */
  #keeping = 0;

  constructor(saved: readonly SavedTimer[] = [], nowUs = 0) {
    for (const [name, slot, inUs] of saved) this.set(name, slot, nowUs + inUs);
  }

  /** Sets a timer, or moves it. */
  set(name: TimerName, slot: number, dueUs: number): void {
    const key = keyOf(name, slot);
    const timer = this.#timers.get(key);
    this.#order += 1;
    if (timer !== undefined && timer.heapUs <= dueUs) {
      timer.dueUs = dueUs;
      timer.order = this.#order;
      return;
    }
    const added = { name, slot, dueUs, order: this.#order, heapUs: dueUs, heapOrder: this.#order };
    this.#timers.set(key, added);
    if (timer === undefined && KEEPS_RUNNING.has(name)) this.#keeping += 1;
    this.#push(added);
  }

  /** Sets a timer unless it runs. */
  begin(name: TimerName, slot: number, dueUs: number): void {
    if (!this.has(name, slot)) this.set(name, slot, dueUs);
  }

  has(name: TimerName, slot: number): boolean {
    return this.#timers.has(keyOf(name, slot));
  }

  /** Undefined if the timer does not run. */
  dueUs(name: TimerName, slot: number): number | undefined {
    return this.#timers.get(keyOf(name, slot))?.dueUs;
  }

  clear(name: TimerName, slot: number): void {
    if (this.#timers.delete(keyOf(name, slot)) && KEEPS_RUNNING.has(name)) this.#keeping -= 1;
  }

  /** When the next timer is due; undefined if none runs. */
  get nextUs(): number | undefined {
    return this.#head()?.dueUs;
  }

  /** Whether a run lasts until the timers have fired. */
  get keepsRunning(): boolean {
    return this.#keeping > 0;
  }

  /** Takes the first timer that is due, so that it no longer runs. */
  take(nowUs: number): Due | undefined {
    const timer = this.#head();
    if (timer === undefined || timer.dueUs > nowUs) return undefined;
    this.#pop();
    this.clear(timer.name, timer.slot);
    return timer;
  }

  /** In the order in which they fire. */
  save(nowUs: number): SavedTimer[] {
    return [...this.#timers.values()]
      .sort((a, b) => a.dueUs - b.dueUs || a.order - b.order)
      .map(({ name, slot, dueUs }) => [name, slot, Math.max(0, dueUs - nowUs)]);
  }

  /** The first timer that runs, after it has removed those before it that do not, and put those back that moved. */
  #head(): Timer | undefined {
    for (;;) {
      const timer = this.#heap[0];
      if (timer === undefined) return undefined;
      if (this.#timers.get(keyOf(timer.name, timer.slot)) !== timer) this.#pop();
      else if (timer.heapUs < timer.dueUs) {
        this.#pop();
        timer.heapUs = timer.dueUs;
        timer.heapOrder = timer.order;
        this.#push(timer);
      } else return timer;
    }
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(timer, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

const INDEXES = Object.fromEntries(TIMERS.map((name, index) => [name, index])) as Readonly<
  Record<TimerName, number>
>;
const keyOf = (name: TimerName, slot: number): number => slot * TIMERS.length + INDEXES[name];
const isBefore = (a: Timer, b: Timer): boolean =>
  a.heapUs < b.heapUs || (a.heapUs === b.heapUs && a.heapOrder < b.heapOrder);
