/** Real time, in the unit of lab time. */

export interface RealTime {
  /** Nanoseconds since an arbitrary moment, an integer that never decreases. */
  nowNs(): number;
  /** Calls back once, at the time or some time before or after it; one call is pending at most, which always calls the same. */
  wakeAt(atNs: number, call: () => void): void;
  cancel(): void;
}

const NS_PER_MS = 1_000_000;
/** Timers of Node have a resolution of a millisecond and come late; the event loop turns without sleeping for the last of it. */
const SPIN_NS = 2 * NS_PER_MS;
const MAX_SLEEP_NS = 1_000 * NS_PER_MS;

export class SystemTime implements RealTime {
  #timer: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;
  /** When the pending timer or turn calls back; Infinity if there is none. */
  #dueNs = Number.POSITIVE_INFINITY;

  nowNs(): number {
    return Math.floor(performance.now() * NS_PER_MS);
  }

  wakeAt(atNs: number, call: () => void): void {
    // The pending call comes early enough and sets the next timer. A timer for each frame would take as long as the frame itself.
    if (this.#dueNs <= atNs) return;
    this.cancel();
    const nowNs = this.nowNs();
    const sleepNs = Math.min(atNs - SPIN_NS - nowNs, MAX_SLEEP_NS);
    this.#dueNs = nowNs + Math.max(sleepNs, 0);
    const wake = (): void => {
      this.#dueNs = Number.POSITIVE_INFINITY;
      call();
    };
    if (sleepNs <= 0) this.#turn = setImmediate(wake);
    else this.#timer = setTimeout(wake, sleepNs / NS_PER_MS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
    this.#dueNs = Number.POSITIVE_INFINITY;
  }
}
