/** Tables of routes: look-ups beside a table with a map for each prefix length, changes beside building anew, and memory. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { makeStream } from "@wirelab/engine/base/random";
import type { Route } from "@wirelab/engine/net/fib/route";
import { IPV4, IPV6 } from "../../packages/engine/net/fib/address-family.ts";
import { Rib } from "../../packages/engine/net/fib/rib.ts";
import { heading, median } from "./engine-measure.ts";

const SIZES = [10, 1_000, 100_000, 1_000_000];
const CHANGED_AMONG = 100_000;
const CHANGES = 10_000;
const LOOK_UPS = 100_000;
const ROUNDS = 5;
/** V8 hashes the low 64 bits of a BigInt, which are 0 in a network: a map of more networks is a list. */
const SIZE_6 = 1_000;

/** Shares of prefix lengths as in a table of the Internet, in percent. */
const LENGTHS: readonly (readonly [length: number, percent: number])[] = [
  [24, 60],
  [22, 11],
  [23, 10],
  [21, 5],
  [20, 5],
  [19, 3],
  [18, 2],
  [16, 2],
  [17, 1],
  [32, 1],
];

/** The median of rounds after a warm-up, in seconds of processor time. */
function medianSeconds(run: () => unknown): number {
  run();
  return median(
    Array.from({ length: ROUNDS }, () => {
      const start = process.cpuUsage();
      run();
      return process.cpuUsage(start).user / 1e6;
    }),
  );
}

type Address = number | bigint;

/** A table that looks through its lengths: the least that a router needs. */
class ByLength<A> {
  readonly #levels = new Map<number, Map<A, readonly Route<A>[]>>();
  readonly #sorted: (readonly [number, Map<A, readonly Route<A>[]>])[];
  readonly #networkOf: (address: A, length: number) => A;

  constructor(routes: readonly Route<A>[], networkOf: (address: A, length: number) => A) {
    this.#networkOf = networkOf;
    for (const route of routes) {
      const level = this.#levels.get(route.prefixLength) ?? new Map<A, readonly Route<A>[]>();
      this.#levels.set(route.prefixLength, level.set(route.network, [route]));
    }
    this.#sorted = [...this.#levels].sort(([a], [b]) => b - a);
  }

  findAll(address: A): readonly Route<A>[] {
    for (const [length, routes] of this.#sorted) {
      const found = routes.get(this.#networkOf(address, length));
      if (found !== undefined) return found;
    }
    return [];
  }
}

const network4 = (address: number, length: number): number => (address & -(2 ** (32 - length))) >>> 0;
const network6 = (address: bigint, length: number): bigint =>
  (address >> BigInt(128 - length)) << BigInt(128 - length);

const routeTo = <A extends Address>(network: A, prefixLength: number): Route<A> => ({
  network,
  prefixLength,
  source: "rip",
  distance: 120,
  metric: 2,
  order: 0,
  port: 1,
  via: network,
});

/** Different prefixes, in no order. */
function makeRoutes<A extends Address>(count: number, makeOne: () => Route<A>): Route<A>[] {
  const routes = new Map<string, Route<A>>();
  while (routes.size < count) {
    const route = makeOne();
    routes.set(`${route.network}/${route.prefixLength}`, route);
  }
  return [...routes.values()];
}

function fill<A extends Address>(rib: Rib<A>, routes: readonly Route<A>[]): Rib<A> {
  for (const route of routes) rib.set(route.network, route.prefixLength, "rip", [route]);
  return rib;
}

export function benchRoutes(): void {
  const stream = makeStream(1, "routes");
  const word = (): number => stream.nextUint32();
  const lengths = LENGTHS.flatMap(([length, percent]) => new Array<number>(percent).fill(length));
  const lengthOf = (): number => lengths[stream.below(lengths.length)] as number;
  const one4 = (): Route<number> => {
    const length = lengthOf();
    return routeTo(network4(word(), length), length);
  };
  const one6 = (): Route<bigint> => {
    const length = 20 + lengthOf();
    const address = (0x2001n << 112n) | (BigInt(word()) << 80n) | (BigInt(word()) << 48n);
    return routeTo(network6(address, length), length);
  };

  heading("Tables of routes");
  for (const size of SIZES) {
    const routes = makeRoutes(size, one4);
    const targets = Array.from(
      { length: LOOK_UPS },
      (_, at) => ((routes[at % size] as Route<number>).network | (at & 0xff)) >>> 0,
    );
    compareLookUps(
      `IPv4, ${size.toLocaleString("en-US")} routes`,
      fill(new Rib(IPV4), routes),
      new ByLength(routes, network4),
      targets,
    );
  }
  const routes6 = makeRoutes(SIZE_6, one6);
  const targets6 = Array.from(
    { length: LOOK_UPS },
    (_, at) => (routes6[at % SIZE_6] as Route<bigint>).network | BigInt(at),
  );
  compareLookUps(
    `IPv6, ${SIZE_6.toLocaleString("en-US")} routes`,
    fill(new Rib(IPV6), routes6),
    new ByLength(routes6, network6),
    targets6,
  );

  benchChange(makeRoutes(CHANGED_AMONG + CHANGES, one4));
  benchMemory(makeRoutes(1_000_000, one4));
}

function compareLookUps<A extends Address>(
  name: string,
  rib: Rib<A>,
  byLength: ByLength<A>,
  targets: readonly A[],
): void {
  const nanoseconds = (table: { findAll(address: A): readonly unknown[] }): number =>
    (1e9 *
      medianSeconds(() => {
        let found = 0;
        for (const target of targets) found += table.findAll(target).length;
        return found;
      })) /
    targets.length;
  const [trie, maps] = [nanoseconds(rib), nanoseconds(byLength)];
  console.log(
    `  ${`look-up, ${name}`.padEnd(40)} ${trie.toFixed(0).padStart(6)} ns   ${(trie / maps).toFixed(2)} x a map for each length`,
  );
}

function benchChange(all: readonly Route<number>[]): void {
  const [routes, others] = [all.slice(CHANGES), all.slice(0, CHANGES)];
  const rib = fill(new Rib(IPV4), routes);
  const change =
    medianSeconds(() => {
      for (const { network, prefixLength } of others)
        rib.set(network, prefixLength, "rip", [routeTo(network, prefixLength)]);
      for (const { network, prefixLength } of others) rib.set(network, prefixLength, "rip", []);
    }) /
    (2 * CHANGES);
  const anew = medianSeconds(() => new ByLength(routes, network4));
  console.log(
    `  ${`change of a route among ${CHANGED_AMONG.toLocaleString("en-US")}`.padEnd(40)} ${(1e6 * change).toFixed(2).padStart(6)} us   1/${Math.round(anew / change).toLocaleString("en-US")} of making the maps anew`,
  );
}

/** The routes themselves are not counted, but for their lists. */
function benchMemory(routes: readonly Route<number>[]): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  const rib = fill(new Rib(IPV4), routes);
  const trie = used() - before;
  const maps = used();
  const byLength = new ByLength(routes, network4);
  const mapBytes = used() - maps;
  const mb = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
  console.log(
    `  ${`memory, ${rib.size.toLocaleString("en-US")} routes of IPv4`.padEnd(40)} ${mb(trie).padStart(6)} MiB  ${(trie / mapBytes).toFixed(2)} x a map for each length (${byLength.findAll(0).length})`,
  );
}
