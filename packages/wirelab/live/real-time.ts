/** Real time, in the unit of lab time. */

export interface RealTime {
  /** Nanoseconds since an arbitrary moment, an integer that never decreases. */
  nowNs(): number;
  /** Calls back once, at or soon after the time; a later call replaces an earlier one. */
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

  nowNs(): number {
    return Math.floor(performance.now() * NS_PER_MS);
  }

  wakeAt(atNs: number, call: () => void): void {
    this.cancel();
    const leftNs = atNs - this.nowNs();
    if (leftNs <= SPIN_NS) this.#turn = setImmediate(call);
    else this.#timer = setTimeout(call, Math.min(leftNs - SPIN_NS, MAX_SLEEP_NS) / NS_PER_MS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
  }
}
