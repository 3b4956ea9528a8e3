/** Frames of a page while the mouse moves or zooms the map. */
import type { Page } from "playwright-core";

export interface Frames {
  readonly count: number;
  /** Times between frames, in milliseconds. */
  readonly medianMs: number;
  readonly p95Ms: number;
}

const COLLECT = `
  const times = (globalThis.frameTimes = []);
  requestAnimationFrame(function step(now) {
    times.push(now);
    if (globalThis.frameTimes === times) requestAnimationFrame(step);
  });
`;

/** Measures the frames while `move` sends events for some time. */
export async function measureFrames(page: Page, seconds: number, move: (step: number) => Promise<void>) {
  await page.evaluate(COLLECT);
  const end = performance.now() + seconds * 1000;
  for (let step = 0; performance.now() < end; step += 1) await move(step);
  const times = await page.evaluate<number[]>("globalThis.frameTimes");
  await page.evaluate("globalThis.frameTimes = undefined");
  const gaps = times
    .slice(1)
    .map((time, index) => time - times[index]!)
    .toSorted((a, b) => a - b);
  const at = (share: number) =>
    gaps[Math.min(gaps.length - 1, Math.floor(share * gaps.length))] ?? Number.NaN;
  return { count: gaps.length, medianMs: at(0.5), p95Ms: at(0.95) } satisfies Frames;
}
