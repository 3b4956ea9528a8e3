/** How long a client of a service waits before it reads again how far a run is. Reading keeps nothing of the service busy between two. */

const FIRST_MS = 250;
const GROWTH = 1.5;
const LONGEST_MS = 5_000;

/** Yields pauses without end: short ones at first, since many runs take a second or two. */
export function* runPauses(): Generator<number, never> {
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(LONGEST_MS, pauseMs * GROWTH)) yield pauseMs;
}
