/** What a link does to numbered packets. */
export interface Seen {
  /** From 0. */
  readonly number: number;
  readonly atNs: number;
}

export interface Measured {
  readonly "lost %": number;
  /** The mean number of losses in a row. */
  readonly burst: number;
  readonly "copied %": number;
  /** Packets that arrive after one that was sent later. */
  readonly "overtaken %": number;
  readonly "mean ms": number;
  readonly "deviation ms": number;
  readonly "p99 ms": number;
}

/** @param sentNs the times of sending, by number. */
export function measure(sentNs: readonly number[], arrived: readonly Seen[]): Measured {
  const count = sentNs.length;
  const first = new Map<number, number>();
  let overtaken = 0;
  let highest = -1;
  for (const { number, atNs } of arrived) {
    if (first.has(number)) continue;
    first.set(number, atNs);
    if (number < highest) overtaken += 1;
    highest = Math.max(highest, number);
  }
  const delays = [...first].map(([number, atNs]) => (atNs - sentNs[number]!) / 1e6).sort((a, b) => a - b);
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
  const variance = delays.reduce((sum, delay) => sum + (delay - mean) ** 2, 0) / delays.length;
  const bursts = sentNs.filter(
    (_, number) => !first.has(number) && (number === 0 || first.has(number - 1)),
  ).length;
  return {
    "lost %": (100 * (count - first.size)) / count,
    burst: bursts === 0 ? 0 : (count - first.size) / bursts,
    "copied %": (100 * (arrived.length - first.size)) / count,
    "overtaken %": (100 * overtaken) / count,
    "mean ms": mean,
    "deviation ms": Math.sqrt(variance),
    "p99 ms": delays[Math.ceil(0.99 * delays.length) - 1] ?? Number.NaN,
  };
}
