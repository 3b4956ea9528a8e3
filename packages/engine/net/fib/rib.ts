/**
 * The routes of one family by prefix (RIB), and the routes that forward packets (FIB).
 *
 *     connected, static, rip, ... -> set -> candidates of a prefix -> the best, and its equals -> find by the longest prefix
 *
 * A change costs the way to its prefix, whatever the number of routes.
 */
import type { AddressFamily } from "./address-family.ts";
import { PrefixTrie } from "./prefix-trie.ts";
import { areEqual, compareListed, comparePreference, type Route, type RouteSource } from "./route.ts";

type Routes<A> = readonly Route<A>[];

type Watcher = (source: RouteSource | undefined) => void;

const NO_ROUTES: readonly never[] = [];

export class Rib<A> {
  /** The routes that share the packets to a prefix. */
  readonly #fib: PrefixTrie<A, Routes<A>>;
  /** The other candidates of a prefix; most prefixes have none. */
  readonly #others: PrefixTrie<A, Routes<A>>;
  #later: (() => void)[] = [];
  readonly #watchers = new Set<Watcher>();

  constructor(family: AddressFamily<A>) {
    this.#fib = new PrefixTrie(family);
    this.#others = new PrefixTrie(family);
  }

  /** The number of prefixes. */
  get size(): number {
    this.settle();
    return this.#fib.size;
  }

  /** Lets a source call `set` when the routes are next needed: routing protocols change them more often. */
  changeLater(change: () => void): void {
    this.#later.push(change);
    this.#notify(undefined);
  }

  /** Calls `watcher` when a source changes its routes; without the source, when one will do so. @returns an end of it. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #notify(source: RouteSource | undefined): void {
    for (const watcher of this.#watchers) watcher(source);
  }

  /** Lets the sources that wait change their routes. */
  settle(): void {
    if (this.#later.length === 0) return;
    const changes = this.#later;
    this.#later = [];
    for (const change of changes) change();
  }

  /** Replaces the routes that a source offers for a prefix. @param routes of this source and to this prefix; none removes them. */
  set(network: A, prefixLength: number, source: RouteSource, routes: Routes<A>): void {
    const kept = this.#candidates(network, prefixLength).filter((route) => route.source !== source);
    const all =
      kept.length + routes.length > 1 ? [...kept, ...routes].sort(comparePreference) : [...kept, ...routes];
    const [best] = all;
    this.#notify(source);
    if (best === undefined) {
      this.#fib.delete(network, prefixLength);
      this.#others.delete(network, prefixLength);
      return;
    }
    const shared = all.filter((route) => route === best || areEqual(route, best));
    this.#fib.set(network, prefixLength, shared);
    if (shared.length === all.length) this.#others.delete(network, prefixLength);
    else
      this.#others.set(
        network,
        prefixLength,
        all.filter((route) => !shared.includes(route)),
      );
  }

  /** All routes to exactly this prefix, those in use first. */
  candidates(network: A, prefixLength: number): Routes<A> {
    this.settle();
    return this.#candidates(network, prefixLength);
  }

  #candidates(network: A, prefixLength: number): Routes<A> {
    const used = this.#fib.get(network, prefixLength) ?? NO_ROUTES;
    const others = this.#others.size === 0 ? undefined : this.#others.get(network, prefixLength);
    return others === undefined ? used : [...used, ...others];
  }

  /** The routes in use to exactly this prefix. */
  exact(network: A, prefixLength: number): Routes<A> {
    this.settle();
    return this.#fib.get(network, prefixLength) ?? NO_ROUTES;
  }

  /** The first of the routes that share the packets to an address. */
  find(address: A): Route<A> | undefined {
    return this.findAll(address)[0];
  }

  /** The routes that share the packets to an address; empty if there is none. */
  findAll(address: A): Routes<A> {
    this.settle();
    return this.#fib.longest(address) ?? NO_ROUTES;
  }

  /** The routes in use to each prefix that contains an address, those of the longest prefix first. */
  matching(address: A): Routes<A>[] {
    this.settle();
    return this.#fib.matching(address);
  }

  /** The routes in use: longest prefixes first, then as their sources order them, then by address. */
  list(): Route<A>[] {
    this.settle();
    return this.#fib
      .values()
      .map((routes) => ({ first: routes[0] as Route<A>, routes }))
      .sort((a, b) => b.first.prefixLength - a.first.prefixLength || compareListed(a.first, b.first))
      .flatMap(({ routes }) => routes);
  }
}
