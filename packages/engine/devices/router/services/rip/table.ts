/**
 * The routes that RIP knows (RFC 2453, sections 3.7 to 3.9): the router's own and those of its neighbours.
 *
 *     learned -> timed out, or metric 16 -> kept for the garbage time as unreachable, so that neighbours hear of it -> removed
 *
 * The table sets no timers: its owner calls `expire` at `nextDeadlineUs`.
 */
import { RIP_INFINITY } from "../../../../wire/rip.ts";

/** Maximum of networks per router, which bounds the size of its item in the store. */
export const MAX_RIP_ROUTES = 1_024;

/** Where a route is from: a port on which RIP runs, a redistributed one, the default that the router announces, or a neighbour. */
export type Origin = "interface" | "connected" | "static" | "ospf" | "bgp" | "default" | "rip";

export interface RipRoute {
  readonly network: number;
  readonly prefixLength: number;
  /** 1 to 16. */
  readonly metric: number;
  readonly tag: number;
  readonly origin: Origin;
  /** The port to the network; -1 for the default route that the router announces. */
  readonly port: number;
  /** Where packets go; undefined if the subnet is connected. */
  readonly via: number | undefined;
  /** The next hop that neighbours hear of, as a route map has set it. */
  readonly hop?: number | undefined;
  /** The router that announced it; undefined for own routes. */
  readonly from: number | undefined;
  /** Whether neighbours do not know of the last change yet. */
  hasChanged: boolean;
  /** The route is unreachable from then on; undefined for own routes and for those that are unreachable. A neighbour's confirmation moves it. */
  timeoutUs: number | undefined;
  /** The route is removed then; only of unreachable ones. */
  readonly garbageUs: number | undefined;
}

/** A route as one of the router's own, or as a neighbour announces it. */
export type Offer = Pick<
  RipRoute,
  "network" | "prefixLength" | "metric" | "tag" | "origin" | "port" | "via" | "hop" | "from"
>;

export interface Times {
  readonly timeoutUs: number;
  readonly garbageUs: number;
}

export const keyOf = ({ network, prefixLength }: Pick<RipRoute, "network" | "prefixLength">): number =>
  network * 64 + prefixLength;

export class RipTable {
  readonly #routes = new Map<number, RipRoute>();
  /** The routes in order. */
  readonly #list: RipRoute[];
  /** No deadline is before this time. */
  #quietUntilUs = Number.NEGATIVE_INFINITY;
  /** Whether any route may have a change that neighbours do not know. */
  #mayHaveChanges: boolean;

  readonly #onChange: (route: RipRoute) => void;

  /** @param onChange called with each route that is added or replaced. A route that is removed was unreachable before. */
  constructor(routes: readonly RipRoute[] = [], onChange: (route: RipRoute) => void = () => {}) {
    this.#onChange = onChange;
    for (const route of routes) this.#routes.set(keyOf(route), route);
    this.#list = [...this.#routes.values()].sort((a, b) => keyOf(a) - keyOf(b));
    this.#mayHaveChanges = routes.length > 0;
  }

  freeze() {
    return {
      routes: [...this.#routes.values()],
      quietUntilUs: this.#quietUntilUs,
      mayHaveChanges: this.#mayHaveChanges,
    };
  }

  /** Fills an empty table; calls nothing. */
  thaw({ routes, quietUntilUs, mayHaveChanges }: ReturnType<RipTable["freeze"]>): void {
    this.#routes.clear();
    for (const route of routes) this.#routes.set(keyOf(route), route);
    this.#list.splice(0, this.#list.length, ...routes.toSorted((a, b) => keyOf(a) - keyOf(b)));
    this.#quietUntilUs = quietUntilUs;
    this.#mayHaveChanges = mayHaveChanges;
  }

  /** Sorted by network, shorter prefixes first; until the next change. */
  list(): readonly RipRoute[] {
    return this.#list;
  }

  /** The routes with changes that neighbours do not know. */
  changes(): RipRoute[] {
    const changed = this.#mayHaveChanges ? this.#list.filter(({ hasChanged }) => hasChanged) : [];
    this.#mayHaveChanges = changed.length > 0;
    return changed;
  }

  /** Notes that neighbours know all routes as they are. */
  settle(): void {
    for (const route of this.#list) route.hasChanged = false;
    this.#mayHaveChanges = false;
  }

  find(network: number, prefixLength: number): RipRoute | undefined {
    return this.#routes.get(keyOf({ network, prefixLength }));
  }

  /** Replaces the router's own routes. Former ones become unreachable. @returns whether anything changed. */
  setOwn(own: readonly Offer[], nowUs: number, times: Times): boolean {
    const wanted = new Map(own.map((offer) => [keyOf(offer), offer]));
    let isChanged = false;
    for (const [key, route] of this.#routes)
      if (route.origin !== "rip" && !wanted.has(key))
        isChanged = this.#withdraw(route, nowUs, times) || isChanged;
    for (const [key, offer] of wanted) {
      const before = this.#routes.get(key);
      if (before !== undefined && isSame(before, offer)) continue;
      this.#set({ ...offer, hasChanged: true, timeoutUs: undefined, garbageUs: undefined });
      isChanged = true;
    }
    return isChanged;
  }

  /** Takes a neighbour's route, with the cost of its link added (section 3.9.2). @returns whether the route changed. */
  learn(offer: Offer, nowUs: number, times: Times): boolean {
    const before = this.#routes.get(keyOf(offer));
    if (before === undefined) {
      if (offer.metric >= RIP_INFINITY || this.#routes.size >= MAX_RIP_ROUTES) return false;
      return this.#put(offer, nowUs, times);
    }
    if (before.from === undefined && before.metric < RIP_INFINITY) return false;
    const isSameSource = before.from === offer.from && before.port === offer.port;
    if (!isSameSource) return isPreferred(offer, before, nowUs, times) && this.#put(offer, nowUs, times);
    if (offer.metric >= RIP_INFINITY) return this.#withdraw(before, nowUs, times);
    if (!isSame(before, offer)) return this.#put(offer, nowUs, times);
    before.timeoutUs = nowUs + times.timeoutUs;
    return false;
  }

  /** Makes the neighbours' routes unreachable that came in by a port. @returns whether there were any. */
  forgetPort(port: number, nowUs: number, times: Times): boolean {
    let isChanged = false;
    for (const route of this.#routes.values())
      if (route.origin === "rip" && route.port === port)
        isChanged = this.#withdraw(route, nowUs, times) || isChanged;
    return isChanged;
  }

  /** Applies the deadlines that have passed. @returns whether a route became unreachable. */
  expire(nowUs: number, times: Times): boolean {
    let isChanged = false;
    for (const [key, route] of this.#routes) {
      if (route.garbageUs !== undefined && route.garbageUs <= nowUs) {
        this.#routes.delete(key);
        this.#list.splice(this.#placeOf(key), 1);
      } else if (route.timeoutUs !== undefined && route.timeoutUs <= nowUs)
        isChanged = this.#withdraw(route, nowUs, times) || isChanged;
    }
    return isChanged;
  }

  /** The first deadline before a time, or that time. */
  nextDeadlineUs(beforeUs: number): number {
    // A confirmation moves a deadline away, so this time stays a bound, and the routes are looked through only now and then.
    if (this.#quietUntilUs < beforeUs) {
      let next = Number.POSITIVE_INFINITY;
      for (const { timeoutUs, garbageUs } of this.#routes.values())
        next = Math.min(next, timeoutUs ?? next, garbageUs ?? next);
      this.#quietUntilUs = next;
    }
    return Math.min(beforeUs, this.#quietUntilUs);
  }

  /** The index of the first route whose key is not below this one. */
  #placeOf(key: number): number {
    let [low, high] = [0, this.#list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keyOf(this.#list[middle] as RipRoute) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #set(route: RipRoute): void {
    const key = keyOf(route);
    this.#list.splice(this.#placeOf(key), this.#routes.has(key) ? 1 : 0, route);
    this.#routes.set(key, route);
    this.#mayHaveChanges = true;
    this.#onChange(route);
    this.#quietUntilUs = Math.min(
      this.#quietUntilUs,
      route.timeoutUs ?? Number.POSITIVE_INFINITY,
      route.garbageUs ?? Number.POSITIVE_INFINITY,
    );
  }

  #put(offer: Offer, nowUs: number, { timeoutUs }: Times): boolean {
    this.#set({ ...offer, hasChanged: true, timeoutUs: nowUs + timeoutUs, garbageUs: undefined });
    return true;
  }

  #withdraw(route: RipRoute, nowUs: number, { garbageUs }: Times): boolean {
    if (route.metric >= RIP_INFINITY) return false;
    this.#set({
      ...route,
      metric: RIP_INFINITY,
      hasChanged: true,
      timeoutUs: undefined,
      garbageUs: nowUs + garbageUs,
    });
    return true;
  }
}

/**
 * Whether another router's route replaces the present one: it is shorter, or as short and the present one was not confirmed for half
 * of its timeout (the heuristic of section 3.9.2).
 */
function isPreferred(offer: Offer, before: RipRoute, nowUs: number, times: Times): boolean {
  if (offer.metric !== before.metric) return offer.metric < before.metric;
  return before.timeoutUs !== undefined && before.timeoutUs - nowUs <= times.timeoutUs / 2;
}

const isSame = (a: Offer, b: Offer): boolean =>
  a.metric === b.metric &&
  a.tag === b.tag &&
  a.via === b.via &&
  a.port === b.port &&
  a.origin === b.origin &&
  a.hop === b.hop;
