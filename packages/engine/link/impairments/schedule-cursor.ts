/** The settings of a link as they change in lab time. */
import type { Impairments, LinkSettings } from "./settings/direction-settings.ts";

export class ScheduleCursor {
  readonly #impairments: Impairments;
  /** When the impairments were set. */
  readonly #zeroNs: number;
  #index = 0;
  #cycle = 0;
  #nextNs = Number.POSITIVE_INFINITY;
  #settings: LinkSettings;

  /** The settings are those of `nowNs` at first: the last change before it has been made. */
  constructor(impairments: Impairments, zeroNs: number, nowNs: number) {
    this.#impairments = impairments;
    this.#zeroNs = zeroNs;
    this.#settings = impairments.initial;
    this.#findNext();
    this.passTo(nowNs);
  }

  /** Makes all changes before `nowNs` and returns the time of the last one; undefined if there is none. */
  passTo(nowNs: number): number | undefined {
    const { changes, repeatNs } = this.#impairments;
    let lastNs: number | undefined;
    if (repeatNs > 0 && changes.length > 0) {
      const cycle = Math.floor((nowNs - this.#zeroNs) / repeatNs) - 1;
      if (cycle > this.#cycle) {
        this.#cycle = cycle;
        this.#index = 0;
        this.#findNext();
      }
    }
    while (this.nextNs < nowNs) {
      lastNs = this.nextNs;
      this.advance();
    }
    return lastNs;
  }

  freeze() {
    const { changes } = this.#impairments;
    const current = changes.findLastIndex(({ settings }) => settings === this.#settings);
    return { zeroNs: this.#zeroNs, index: this.#index, cycle: this.#cycle, current };
  }

  static thaw(impairments: Impairments, frozen: ReturnType<ScheduleCursor["freeze"]>): ScheduleCursor {
    const cursor = new ScheduleCursor(impairments, frozen.zeroNs, frozen.zeroNs);
    cursor.#index = frozen.index;
    cursor.#cycle = frozen.cycle;
    cursor.#settings = impairments.changes[frozen.current]?.settings ?? impairments.initial;
    cursor.#findNext();
    return cursor;
  }

  get settings(): LinkSettings {
    return this.#settings;
  }

  /** The time of the next change; Infinity if there is none. */
  get nextNs(): number {
    return this.#nextNs;
  }

  #findNext(): void {
    const change = this.#impairments.changes[this.#index];
    this.#nextNs =
      change === undefined
        ? Number.POSITIVE_INFINITY
        : this.#zeroNs + this.#cycle * this.#impairments.repeatNs + change.atNs;
  }

  /** Makes the next change and returns the settings after it. */
  advance(): LinkSettings {
    const { changes, repeatNs } = this.#impairments;
    this.#settings = changes[this.#index]?.settings ?? this.#settings;
    this.#index += 1;
    if (this.#index === changes.length && repeatNs > 0) {
      this.#index = 0;
      this.#cycle += 1;
    }
    this.#findNext();
    return this.#settings;
  }
}
