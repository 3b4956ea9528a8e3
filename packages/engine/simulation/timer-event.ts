/** A device's timer in the agenda. */
import type { Timer } from "../devices/device.ts";
import type { RunBudget } from "./run-budget.ts";

/** Counts the events that keep the run going. */
export interface Foreground {
  count: number;
}

export class TimerEvent implements Timer {
  readonly kind = "timer";
  readonly #call: () => void;
  /** Undefined for a background timer. */
  readonly #foreground: Foreground | undefined;
  #isOver = false;

  constructor(call: () => void, foreground: Foreground | undefined) {
    this.#call = call;
    this.#foreground = foreground;
    if (foreground) foreground.count += 1;
  }

  cancel(): void {
    this.#end();
  }

  /** Calls back if the timer is still set. */
  fire(budget: RunBudget): void {
    if (!this.#end()) return;
    budget.events += 1;
    this.#call();
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    if (this.#foreground) this.#foreground.count -= 1;
    return true;
  }
}
