const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Returns a pause that grows with the failures in a row, and differs between pages that lost their connections together. */
export function pauseAfter(failures: number, random: number): number {
  const wholeMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1));
  return wholeMs * (0.5 + random / 2);
}
