/** A time that advances by the duration of bytes at a rate, without rounding: whole nanoseconds and a fraction of one. */
import { NS_PER_SECOND } from "../../../base/time.ts";

export class RateClock {
  readonly #rate: number;
  #ns: number;
  /** The fraction is `#remainder / #rate` of a nanosecond. */
  #remainder: number;

  /** @param rate bits a second: an integer up to 10^12. */
  constructor(rate: number, ns: number, remainder: number) {
    this.#rate = rate;
    this.#ns = ns;
    this.#remainder = remainder;
  }

  /** Whole nanoseconds, rounded down. */
  get ns(): number {
    return this.#ns;
  }

  get remainder(): number {
    return this.#remainder;
  }

  /** Moves forward to `ns`, if that is later. */
  skipTo(ns: number): void {
    if (ns <= this.#ns) return;
    this.#ns = ns;
    this.#remainder = 0;
  }

  add(bytes: number): void {
    const work = bytes * 8 * NS_PER_SECOND + this.#remainder;
    const rate = this.#rate;
    if (work > Number.MAX_SAFE_INTEGER) {
      const exact = BigInt(bytes) * 8_000_000_000n + BigInt(this.#remainder);
      this.#ns += Number(exact / BigInt(rate));
      this.#remainder = Number(exact % BigInt(rate));
      return;
    }
    let whole = Math.floor(work / rate);
    let remainder = work - whole * rate;
    // The quotient is rounded, so it may be one too large.
    if (remainder < 0) {
      whole -= 1;
      remainder += rate;
    }
    this.#ns += whole;
    this.#remainder = remainder;
  }
}
