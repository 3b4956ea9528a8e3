/** The timers of a BGP process, as data: a name, the neighbour, and when it is due. The process asks its router for one alarm, at `nextUs`. */

export const TIMERS = ["start", "connect", "hold", "keepalive", "advertise", "routes"] as const;
export type TimerName = (typeof TIMERS)[number];

export interface Due {
  readonly name: TimerName;
  /** The address of the neighbour; 0 for timers of the process. */
  readonly neighbour: number;
}

/** Times are what is left until a timer is due: no time passes between two runs. */
export type SavedTimer = readonly [name: TimerName, neighbour: number, inUs: number, keepsRunning: 0 | 1];

interface Timer extends Due {
  readonly dueUs: number;
  /** Of timers that are due at one time, the one that was set first fires first. */
  readonly order: number;
  readonly keepsRunning: boolean;
}

export class Timers {
  readonly #timers = new Map<string, Timer>();
  #order = 0;
  /** Undefined: it is to be found anew. */
  #first: Timer | undefined;

  constructor(saved: readonly SavedTimer[] = [], nowUs = 0) {
    for (const [name, neighbour, inUs, keeps] of saved) this.set(name, neighbour, nowUs + inUs, keeps === 1);
  }

  /** Sets a timer, or moves it. @param keepsRunning whether a run lasts until it fires. */
  set(name: TimerName, neighbour: number, dueUs: number, keepsRunning = false): void {
    this.#order += 1;
    this.clear(name, neighbour);
    const timer = { name, neighbour, dueUs, order: this.#order, keepsRunning };
    this.#timers.set(keyOf(name, neighbour), timer);
    if (this.#first !== undefined && isBefore(timer, this.#first)) this.#first = timer;
  }

  /** Sets a timer unless it runs. */
  begin(name: TimerName, neighbour: number, dueUs: number, keepsRunning = false): void {
    if (!this.has(name, neighbour)) this.set(name, neighbour, dueUs, keepsRunning);
  }

  has(name: TimerName, neighbour: number): boolean {
    return this.#timers.has(keyOf(name, neighbour));
  }

  /** Undefined if the timer does not run. */
  dueUs(name: TimerName, neighbour: number): number | undefined {
    return this.#timers.get(keyOf(name, neighbour))?.dueUs;
  }

  clear(name: TimerName, neighbour: number): void {
    const key = keyOf(name, neighbour);
    if (this.#timers.get(key) === this.#first) this.#first = undefined;
    this.#timers.delete(key);
  }

  clearAll(neighbour: number): void {
    for (const name of TIMERS) this.clear(name, neighbour);
  }

  /** When the next timer is due; undefined if none runs. */
  get nextUs(): number | undefined {
    return this.#head()?.dueUs;
  }

  /** Whether a run lasts until one of the timers has fired. */
  get keepsRunning(): boolean {
    for (const { keepsRunning } of this.#timers.values()) if (keepsRunning) return true;
    return false;
  }

  /** Takes the first timer that is due, so that it no longer runs. */
  take(nowUs: number): Due | undefined {
    const timer = this.#head();
    if (timer === undefined || timer.dueUs > nowUs) return undefined;
    this.clear(timer.name, timer.neighbour);
    return timer;
  }

  /** In the order in which they fire. */
  save(nowUs: number): SavedTimer[] {
    return [...this.#timers.values()]
      .sort((a, b) => a.dueUs - b.dueUs || a.order - b.order)
      .map(({ name, neighbour, dueUs, keepsRunning }) => [
        name,
        neighbour,
        Math.max(0, dueUs - nowUs),
        keepsRunning ? 1 : 0,
      ]);
  }

  #head(): Timer | undefined {
    if (this.#first === undefined)
      for (const timer of this.#timers.values())
        if (this.#first === undefined || isBefore(timer, this.#first)) this.#first = timer;
    return this.#first;
  }
}

const keyOf = (name: TimerName, neighbour: number): string => `${name} ${neighbour}`;
const isBefore = (a: Timer, b: Timer): boolean =>
  a.dueUs < b.dueUs || (a.dueUs === b.dueUs && a.order < b.order);
