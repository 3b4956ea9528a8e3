/** Names of links: `pc1-sw1`; further links between the same nodes have numbers, from 2. */
export class LinkNames {
  readonly #used = new Set<string>();
  readonly #numbers = new Map<string, number>();

  /** @returns false if another link has the name. */
  take(name: string): boolean {
    if (this.#used.has(name)) return false;
    this.#used.add(name);
    return true;
  }

  /** @param ends of a link that the file gives no name. */
  takeFree([one, other]: readonly [{ readonly node: string }, { readonly node: string }]): string {
    const base = `${one.node}-${other.node}`;
    if (this.take(base)) return base;
    for (let number = this.#numbers.get(base) ?? 2; ; number++) {
      const name = `${base}-${number}`;
      this.#numbers.set(base, number + 1);
      if (this.take(name)) return name;
    }
  }
}
