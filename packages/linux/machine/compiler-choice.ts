/**
 * When the guest's code is compiled. Most of what a guest runs, it runs a few times, and compiling that takes several times as long as
 * interpreting it. So the code is compiled where it is known to repeat:
 *
 *     a long computation     after 100 slices without a wait, until the next wait
 *     the kernel's tick      250 times a virtual second while the guest waits: after 30 s of it, while nothing else happens
 *
 * The choice depends on the guest's time alone, so it is the same in every run.
 */
const BUSY_SLICES = 100;
/** A tick takes 7 us of the guest's time. */
const TICK_NS = 50_000;
/** 30 s: compiling the tick takes the processor as long as interpreting it for that time. Then a tick takes a sixth of the time. */
const TICKS = 7_500;
const TICKS_IN_A_ROW = 10;

export class CompilerChoice {
  isOn = false;
  #busySlices = 0;
  #ticks = 0;
  #ticksInARow = 0;

  /**
   * Takes note of a slice. @returns whether `isOn` has changed.
   * @param ranNs the guest's time that the slice took.
   */
  changes(ranNs: number, waits: boolean): boolean {
    const isTick = waits && ranNs < TICK_NS;
    this.#busySlices = waits ? 0 : this.#busySlices + 1;
    this.#ticks += isTick ? 1 : 0;
    this.#ticksInARow = isTick ? this.#ticksInARow + 1 : 0;
    const before = this.isOn;
    this.isOn =
      this.#busySlices >= BUSY_SLICES || (this.#ticks >= TICKS && this.#ticksInARow >= TICKS_IN_A_ROW);
    return this.isOn !== before;
  }
}
