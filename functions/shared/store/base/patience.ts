/**
 * Patience with a table that throttles: a busy partition key takes 1,000 write units a second, so a call waits until the units of others
 * are spent. "Full jitter": a random pause under a doubling bound keeps callers from coming back together.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** How long a call is repeated while the table throttles it, within the 29 s of a request. */
const PATIENCE_MS = 12_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

const THROTTLES =
  /^(ThrottlingError|ThrottlingException|ProvisionedThroughputExceeded(Exception)?|RequestLimitExceeded)$/;

/** @param code the name of an exception, or the code of a reason for which a transaction was cancelled. */
export const isThrottle = (code: string | undefined): boolean => THROTTLES.test(code ?? "");

export class Patience {
  readonly #begin = performance.now();
  #pauses = 0;

  /** Pauses. @returns false, without a pause, when the patience is at its end. */
  async goesOn(): Promise<boolean> {
    if (performance.now() - this.#begin >= PATIENCE_MS) return false;
    const bound = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#pauses, 10));
    this.#pauses += 1;
    await sleep(Math.random() * bound);
    return true;
  }
}
