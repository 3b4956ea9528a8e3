/** Measures and prints rates, for the parts of the engine's bench. */

const ROUNDS = 5;

export interface Target {
  /** The target rate, in the case's unit per second. */
  readonly perSecond: number;
  /** The bottleneck, named when a rate is below its target. */
  readonly limitedBy: string;
}

/** Returns the median of five rounds after a warm-up, in seconds. */
export function medianSeconds(run: () => unknown, rounds = ROUNDS): number {
  run();
  return median(Array.from({ length: rounds }, () => timeSeconds(run)));
}

export function timeSeconds(run: () => unknown): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1000;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

/** Measures `run`, which handles `count` things, and prints its rate beside its target. */
export function benchRate(
  name: string,
  unit: string,
  count: number,
  run: () => unknown,
  target?: Target,
): void {
  const perSecond = count / medianSeconds(run);
  const rate = Math.round(perSecond).toLocaleString("en-US");
  const verdict = target === undefined ? "" : `   ${compareRate(perSecond, target)}`;
  console.log(`  ${name.padEnd(34)} ${rate.padStart(13)} ${unit}/s${verdict}`);
}

/** Returns the ratio of a rate to its target, as text. */
export function compareRate(rate: number, { perSecond, limitedBy }: Target): string {
  const ratio = rate / perSecond;
  const wanted = `target ${perSecond.toLocaleString("en-US")}: ${ratio.toFixed(2)} x`;
  return ratio >= 1 ? wanted : `${wanted}, ${shortBy(`${((1 - ratio) * 100).toFixed(0)} %`, limitedBy)}`;
}

/** Describes a figure that misses its target. */
export function shortBy(amount: string, limitedBy: string): string {
  return `SHORT by ${amount}: limited by ${limitedBy}`;
}

export function heading(text: string): void {
  console.log(`\n${text}`);
}
