/**
 * When the guest's code is compiled. Most of what a guest runs, it runs a few times, and compiling that takes several times as long as
 * interpreting it. So the code of a long computation is compiled: after 100 slices without a wait, until the next wait.
 *
 * The choice depends on the guest's time alone, so it is the same in every run.
 */
const BUSY_SLICES = 100;

export class CompilerChoice {
  isOn = false;
  #busySlices = 0;

  /** Takes note of a slice. @returns whether `isOn` has changed. */
  changes(waits: boolean): boolean {
    this.#busySlices = waits ? 0 : this.#busySlices + 1;
    const before = this.isOn;
    this.isOn = this.#busySlices >= BUSY_SLICES;
    return this.isOn !== before;
  }
}
