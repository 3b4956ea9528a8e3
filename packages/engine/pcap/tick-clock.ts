/**
 * Turns a pcapng interface's 64-bit tick counts into seconds and nanoseconds, exactly
 * (draft-ietf-opsawg-pcapng, section 4.2: if_tsresol, if_tsoffset).
 *
 * A count does not fit a number, so the common resolutions use long division of 16-bit pieces, and the rare ones bigint.
 * Fractions of a nanosecond are truncated.
 */

import { NS_PER_SECOND } from "../base/time.ts";

/** if_tsresol when the option is missing: microseconds. */
export const DEFAULT_TSRESOL = 6;

const TSRESOL_POWER_OF_TWO = 0x80;
const DECIMAL_DIGITS_OF_NS = 9;
const TWO_32 = 0x1_0000_0000;
const TWO_16 = 0x1_0000;

/** A converter that keeps its last result in `seconds` and `nanoseconds`, which saves an object per frame. */
export class TickClock {
  seconds = 0;
  nanoseconds = 0;
  readonly #offsetSeconds: number;
  readonly #ticksPerSecond: bigint;
  /** Ticks per second as a number when they are 10^0 .. 10^9, else 0. */
  readonly #smallDivisor: number;

  /** @param tsresol the option's byte. @param offsetSeconds a safe integer, added to every result. */
  constructor(tsresol: number, offsetSeconds: number) {
    const exponent = tsresol & ~TSRESOL_POWER_OF_TWO;
    const decimal = (tsresol & TSRESOL_POWER_OF_TWO) === 0;
    this.#offsetSeconds = offsetSeconds;
    this.#ticksPerSecond = (decimal ? 10n : 2n) ** BigInt(exponent);
    this.#smallDivisor = decimal && exponent <= DECIMAL_DIGITS_OF_NS ? 10 ** exponent : 0;
  }

  /** Converts `high * 2^32 + low` ticks; returns false if the seconds are not a safe integer. */
  convert(high: number, low: number): boolean {
    if (this.#smallDivisor === 0) this.#convertExactly(high, low);
    else this.#divide(high, low, this.#smallDivisor);
    this.seconds += this.#offsetSeconds;
    return Number.isSafeInteger(this.seconds);
  }

  /** Long division by at most 10^9: every intermediate value stays below 2^46. */
  #divide(high: number, low: number, divisor: number): void {
    const quotient2 = Math.floor(high / divisor);
    const upper = (high - quotient2 * divisor) * TWO_16 + (low >>> 16);
    const quotient1 = Math.floor(upper / divisor);
    const lower = (upper - quotient1 * divisor) * TWO_16 + (low & 0xffff);
    const quotient0 = Math.floor(lower / divisor);
    this.seconds = quotient2 * TWO_32 + quotient1 * TWO_16 + quotient0;
    this.nanoseconds = (lower - quotient0 * divisor) * (NS_PER_SECOND / divisor);
  }

  #convertExactly(high: number, low: number): void {
    const ticks = BigInt(high) * BigInt(TWO_32) + BigInt(low);
    this.seconds = Number(ticks / this.#ticksPerSecond);
    this.nanoseconds = Number(
      ((ticks % this.#ticksPerSecond) * BigInt(NS_PER_SECOND)) / this.#ticksPerSecond,
    );
  }
}
