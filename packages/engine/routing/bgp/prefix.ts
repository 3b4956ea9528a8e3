/** IPv4 prefixes as keys of maps. */

export interface Prefix {
  /** Bits after the prefix are 0. */
  readonly network: number;
  readonly length: number;
}

const LENGTHS = 64;

export const prefixKey = ({ network, length }: Prefix): number => network * LENGTHS + length;

export const prefixOf = (key: number): Prefix => ({
  network: Math.floor(key / LENGTHS),
  length: key % LENGTHS,
});

/** Whether one of the addresses, which are sorted, is in a prefix. */
export function containsAddress(sorted: readonly number[], { network, length }: Prefix): boolean {
  const end = network + 2 ** (32 - length);
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < network) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && sorted[low]! < end;
}
