/** A bar on a terminal that shows how many cases have been played. */
import type { Surroundings } from "../command-line.ts";

const SHOWN_FROM_MS = 300;
const SHOWN_EVERY_MS = 100;
const BAR_CHARACTERS = 30;
const ERASE_LINE = "\r\u001b[K";

export interface ProgressBar {
  show(done: number, all: number): void;
  /** Removes the bar. */
  end(): void;
}

/** Shows nothing without a terminal, and nothing of a run that ends soon. */
export function makeProgressBar({ stderr }: Surroundings, nowMs = () => performance.now()): ProgressBar {
  if (stderr.isTTY !== true) return { show: () => {}, end: () => {} };
  const startMs = nowMs();
  let shownMs: number | undefined;
  return {
    show(done, all) {
      const now = nowMs();
      if (now - startMs < SHOWN_FROM_MS || now - (shownMs ?? 0) < SHOWN_EVERY_MS) return;
      shownMs = now;
      const bar = "#".repeat(Math.floor((BAR_CHARACTERS * done) / all)).padEnd(BAR_CHARACTERS, ".");
      stderr.write(`\r[${bar}] ${done} of ${all}`);
    },
    end: () => void (shownMs !== undefined && stderr.write(ERASE_LINE)),
  };
}
