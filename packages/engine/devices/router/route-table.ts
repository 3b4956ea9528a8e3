/** Routes of one family, looked up by longest prefix. */
import type { Rejection } from "./routes/route-spec.ts";

export interface Route<A> {
  /** The network address; bits after the prefix are 0. */
  readonly network: A;
  readonly prefixLength: number;
  readonly port: number;
  /** Undefined if the subnet is connected: the next hop is then the destination itself. */
  readonly via: A | undefined;
  /** The protocol that learned it; absent if the subnet is connected or the route static. */
  readonly source?: "rip";
  /** The metric of its protocol. */
  readonly metric?: number;
  /** Present if packets to the network are dropped; `port` and `via` have no meaning then. */
  readonly reject?: Rejection;
  /** Present for a static route whose distance is not the default. */
  readonly distance?: number;
}

export type LearnedRoute4 = Route<number> & Required<Pick<Route<number>, "source" | "metric">>;

/** All routes of one length, by network. */
interface Level<A> {
  readonly prefixLength: number;
  readonly routes: Map<A, Route<A>[]>;
}

export class RouteTable<A extends number | bigint> {
  #routes: (() => readonly Route<A>[]) | undefined;
  #levels: readonly Level<A>[] = [];
  readonly #networkOf: (address: A, prefixLength: number) => A;

  /**
   * The first of two routes to the same network applies, and shares the packets with static ones of its distance.
   * @param routes called at the first look-up: a routing protocol replaces tables more often than packets need them.
   */
  constructor(routes: () => readonly Route<A>[], networkOf: (address: A, prefixLength: number) => A) {
    this.#routes = routes;
    this.#networkOf = networkOf;
  }

  get #byLength(): readonly Level<A>[] {
    if (this.#routes === undefined) return this.#levels;
    const levels = new Map<number, Level<A>>();
    for (const route of this.#routes()) {
      const { prefixLength, network } = route;
      const level = levels.get(prefixLength) ?? { prefixLength, routes: new Map() };
      levels.set(prefixLength, level);
      const first = level.routes.get(network);
      if (first === undefined) level.routes.set(network, [route]);
      else if (isShared(first[0]!) && isShared(route)) first.push(route);
    }
    this.#routes = undefined;
    this.#levels = [...levels.values()].sort((a, b) => b.prefixLength - a.prefixLength);
    return this.#levels;
  }

  /** The first of the routes that share the packets to an address. */
  find(address: A): Route<A> | undefined {
    return this.findAll(address)[0];
  }

  /** The routes that share the packets to an address; empty if there is none. */
  findAll(address: A): readonly Route<A>[] {
    for (const { prefixLength, routes } of this.#byLength) {
      const found = routes.get(this.#networkOf(address, prefixLength));
      if (found !== undefined) return found;
    }
    return NO_ROUTES;
  }

  /** Longest prefixes first. */
  list(): Route<A>[] {
    return this.#byLength.flatMap(({ routes }) => [...routes.values()].flat());
  }
}

const NO_ROUTES: readonly never[] = [];

/** Static routes by way of a gateway share packets. Routes with a greater distance than another route of their table are left out before. */
const isShared = <A>({ via, source }: Route<A>): boolean => via !== undefined && source === undefined;
