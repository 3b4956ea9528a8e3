/**
 * Paces many writes to one partition key: it takes 1,000 write units a second, and other requests of the same project need some of them.
 */
import { setTimeout as sleep } from "node:timers/promises";

const UNITS_PER_SECOND = 750;
/** Units that need no wait: those of the writes of a usual request. */
const BURST_UNITS = 150;
const ITEM_UNIT_BYTES = 1_024;

/** Returns the write units of an item with this many bytes, outside of a transaction. */
export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / ITEM_UNIT_BYTES));

/** Returns how long the units take at this pace. */
export const durationMs = (units: number): number => (units / UNITS_PER_SECOND) * 1_000;

export class WritePace {
  /** When all units that were taken so far are spent. */
  #spentMs = performance.now() - durationMs(BURST_UNITS);

  /** Resolves when there is room for the units. */
  async take(units: number): Promise<void> {
    const nowMs = performance.now();
    const startMs = Math.max(this.#spentMs, nowMs - durationMs(BURST_UNITS));
    this.#spentMs = startMs + durationMs(units);
    const waitMs = startMs - nowMs;
    if (waitMs > 0) await sleep(waitMs);
  }
}
