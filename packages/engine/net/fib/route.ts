/** A route as a candidate for its prefix. */

/** What happens to packets without a next hop: `unreachable` returns an ICMP error, `blackhole` none. */
export type Rejection = "blackhole" | "unreachable";

/** Who offers a route. Of two routes of equal distance, the one applies whose source is first here. */
export const ROUTE_SOURCES = ["connected", "static", "ospf", "rip", "bgp"] as const;
export type RouteSource = (typeof ROUTE_SOURCES)[number];

/** Where packets go. */
export interface NextHop<A> {
  /** The index of the interface; it has no meaning if packets are dropped. */
  readonly port: number;
  /** Undefined if the subnet is connected: the next hop is then the target itself. */
  readonly via: A | undefined;
  /** Present if packets are dropped. */
  readonly reject?: Rejection;
}

export interface Route<A> extends NextHop<A> {
  /** The network address; bits after the prefix are 0. */
  readonly network: A;
  readonly prefixLength: number;
  readonly source: RouteSource;
  /** The administrative distance: of the routes to a prefix, the one with the lowest applies. */
  readonly distance: number;
  /** The cost by the measure of its source, which decides between routes of this source. */
  readonly metric: number;
  /** What kind of path its source has, for displays: `IA`, `E1`, `E2` of OSPF. */
  readonly path?: string;
  /** What policies know the route by; absent for 0. */
  readonly tag?: number;
  /** The place among the routes of its source: the index of the port, or the place in the configuration; else 0. */
  readonly order: number;
}

/** Negative if `a` applies rather than `b`, which is a route to the same prefix; 0 if nothing but their next hops differs. */
export const comparePreference = <A>(a: Route<A>, b: Route<A>): number =>
  compareSources(a, b) || a.metric - b.metric || a.order - b.order;

/** The order of routes to different prefixes of one length. */
export const compareListed = <A>(a: Route<A>, b: Route<A>): number =>
  compareSources(a, b) || a.order - b.order;

const compareSources = <A>(a: Route<A>, b: Route<A>): number =>
  a.distance - b.distance || ROUTE_SOURCES.indexOf(a.source) - ROUTE_SOURCES.indexOf(b.source);

/** Whether two routes to a prefix share its packets (ECMP): routes of one source by way of gateways, as good as each other. */
export const areEqual = <A>(a: Route<A>, b: Route<A>): boolean =>
  a.via !== undefined &&
  b.via !== undefined &&
  a.source === b.source &&
  a.distance === b.distance &&
  a.metric === b.metric;
