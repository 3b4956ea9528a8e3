/** A simple table of prefixes, to compare with: a list that is searched from its beginning to its end. */
export interface LinearPrefix {
  readonly network: bigint;
  readonly length: number;
}

export class LinearTable<T> {
  readonly #bits: number;
  #entries: { readonly prefix: LinearPrefix; readonly value: T }[] = [];

  constructor(bits: number) {
    this.#bits = bits;
  }

  set(prefix: LinearPrefix, value: T): void {
    this.delete(prefix);
    this.#entries.push({ prefix, value });
  }

  delete(prefix: LinearPrefix): boolean {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter(
      (each) => each.prefix.network !== prefix.network || each.prefix.length !== prefix.length,
    );
    return this.#entries.length < before;
  }

  get({ network, length }: LinearPrefix): T | undefined {
    return this.#entries.find(({ prefix }) => prefix.network === network && prefix.length === length)?.value;
  }

  longest(address: bigint): T | undefined {
    let best: { readonly prefix: LinearPrefix; readonly value: T } | undefined;
    for (const each of this.#entries) {
      const { network, length } = each.prefix;
      const isIn = (address ^ network) >> BigInt(this.#bits - length) === 0n;
      if (isIn && (best === undefined || length > best.prefix.length)) best = each;
    }
    return best?.value;
  }

  /** By network, shorter prefixes first. */
  values(): T[] {
    const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
    return this.#entries
      .toSorted((a, b) => compare(a.prefix.network, b.prefix.network) || a.prefix.length - b.prefix.length)
      .map(({ value }) => value);
  }
}
