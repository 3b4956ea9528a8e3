/** A timer in the agenda: of a device, or of the run itself. */
import type { Timer } from "../devices/device.ts";
import type { ConsoleSession } from "./console-session.ts";
import type { PowerStatus } from "./lab.ts";
import type { RunBudget } from "./run-budget.ts";

/** Counts the events that keep the run going. */
export interface Foreground {
  count: number;
}

/** The node of a timer. */
export interface TimerOwner {
  readonly name: string;
  /** The number of power-offs so far. */
  readonly life: number;
  readonly status: PowerStatus;
  /** Keeps a timer that has come due while the node is suspended. */
  keep(timer: TimerEvent): void;
  refused(port: number, frame: Uint8Array, mtuBytes: number): void;
}

/** What the run itself does at a time, as data: `Simulation` has a table of what each kind does. */
export type Task =
  | { readonly kind: "carrier"; readonly linkId: string; readonly atNs: number }
  | {
      readonly kind: "refused";
      readonly node: TimerOwner;
      readonly port: number;
      readonly frame: Uint8Array;
      readonly mtuBytes: number;
    }
  | { readonly kind: "begin-session" | "next-line"; readonly session: ConsoleSession };

export class TimerEvent implements Timer {
  readonly kind = "timer";
  /** Absent for the run's own. */
  readonly owner: TimerOwner | undefined;
  /** The number of the owner's power-offs before: timers of an earlier life do nothing. */
  readonly life: number;
  /** Absent for timers of devices. */
  readonly task: Task | undefined;
  #call: (() => void) | undefined;
  /** Undefined for a background timer. */
  readonly #foreground: Foreground | undefined;
  #isOver = false;

  /** @param call undefined for a restored timer, until its owner calls `resume`. */
  constructor(
    call: (() => void) | undefined,
    foreground: Foreground | undefined,
    owner?: TimerOwner,
    task?: Task,
    life = owner?.life ?? 0,
  ) {
    this.#call = call;
    this.#foreground = foreground;
    this.owner = owner;
    this.life = life;
    this.task = task;
    if (foreground) foreground.count += 1;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isBackground(): boolean {
    return this.#foreground === undefined;
  }

  /** Whether it is clear what the timer does. */
  get isArmed(): boolean {
    return this.#call !== undefined;
  }

  cancel(): void {
    this.#end();
  }

  resume(call: () => void): void {
    this.#call = call;
  }

  /** Calls back if the timer is still set, and its node on; a suspended node keeps it. */
  fire(budget: RunBudget): void {
    if (!this.#end()) return;
    budget.events += 1;
    const { owner } = this;
    if (owner === undefined) this.#call?.();
    else if (owner.life === this.life) {
      if (owner.status === "suspended") owner.keep(this);
      else this.#call?.();
    }
  }

  /** Calls back although its time is over: the node was suspended then. */
  catchUp(): void {
    this.#call?.();
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    if (this.#foreground) this.#foreground.count -= 1;
    return true;
  }
}
