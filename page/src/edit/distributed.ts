/** Places on a line with the same space between each two. Pure. */

interface Span {
  readonly at: number;
  readonly size: number;
}

/** @returns where the spans begin, with the same space between each two; the first and the last one stay. */
export function distributed(spans: readonly Span[]): readonly number[] {
  const order = spans.map((_, index) => index).toSorted((a, b) => spans[a]!.at - spans[b]!.at);
  const [first, last] = [spans[order[0]!]!, spans[order.at(-1)!]!];
  const taken = spans.reduce((sum, { size }) => sum + size, 0);
  const gap = (last.at + last.size - first.at - taken) / (spans.length - 1);
  const starts = new Array<number>(spans.length);
  let next = first.at;
  for (const index of order) {
    starts[index] = Math.round(next);
    next += spans[index]!.size + gap;
  }
  return starts;
}
