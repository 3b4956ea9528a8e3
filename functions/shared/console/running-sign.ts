/** What a console shows while a run with guests computes: one line, which the output replaces. */

/** Moves the cursor to the first column and erases the line (ECMA-48: EL). */
export const CLEAR_LINE = "\r\x1b[K";
/** How often the lab time is shown. */
const EVERY_MS = 5_000;

export class RunningSign {
  readonly #print: (text: string) => Promise<unknown>;
  #shownMs = performance.now();
  /** Whether it is on the screen. */
  isShown = false;

  constructor(print: (text: string) => Promise<unknown>) {
    this.#print = print;
  }

  /** @param labSeconds the lab time of the run; undefined before the run has begun. */
  async show(labSeconds?: number): Promise<void> {
    const nowMs = performance.now();
    if (this.isShown && nowMs - this.#shownMs < EVERY_MS) return;
    const before = this.isShown ? CLEAR_LINE : "";
    const time = labSeconds === undefined ? "" : `, ${labSeconds.toFixed(1)} s of lab time`;
    this.isShown = true;
    this.#shownMs = nowMs;
    await this.#print(`${before}[running${time}]`);
  }

  /** Returns what erases it, once. */
  take(): string {
    const text = this.isShown ? CLEAR_LINE : "";
    this.isShown = false;
    return text;
  }
}
