/** One timer of a state machine, which moves with the machine's next deadline. */
import type { Timer, TimerKind, World } from "../../base/world.ts";

export class WakeTimer {
  readonly #world: World;
  readonly #kind: TimerKind;
  readonly #wake: () => void;
  #atUs = Number.POSITIVE_INFINITY;
  #timer: Timer | undefined;

  constructor(world: World, kind: TimerKind, wake: () => void) {
    this.#world = world;
    this.#kind = kind;
    this.#wake = wake;
  }

  /** @param atUs the lab's clock; Infinity for no deadline. */
  wakeAt(atUs: number): void {
    if (this.#atUs === atUs) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#atUs = atUs;
    if (atUs === Number.POSITIVE_INFINITY) return;
    this.#timer = this.#world.after(atUs - this.#world.nowUs, this.#call, this.#kind);
  }

  freeze() {
    return { atUs: this.#atUs, timer: this.#timer };
  }

  thaw({ atUs, timer }: ReturnType<WakeTimer["freeze"]>): void {
    this.#atUs = atUs;
    this.#timer = timer;
    timer?.resume?.(this.#call);
  }

  readonly #call = (): void => {
    this.#atUs = Number.POSITIVE_INFINITY;
    this.#timer = undefined;
    this.#wake();
  };
}
