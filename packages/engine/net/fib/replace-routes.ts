import type { Rib } from "./rib.ts";
import type { Route } from "./route.ts";

type Routes<A> = readonly Route<A>[];

/** Replaces the routes of a configuration in a table; touches only prefixes whose routes differ. */
export function replaceRoutes<A>(rib: Rib<A>, before: Routes<A>, after: Routes<A>): void {
  const [old, now] = [Map.groupBy(before, keyOf), Map.groupBy(after, keyOf)];
  for (const [key, [route]] of old)
    if (route !== undefined && !now.has(key)) rib.set(route.network, route.prefixLength, route.source, []);
  for (const [key, routes] of now) {
    const [{ network, prefixLength, source }] = routes as [Route<A>];
    if (!areSame(old.get(key) ?? [], routes)) rib.set(network, prefixLength, source, routes);
  }
}

const keyOf = <A>({ source, network, prefixLength }: Route<A>): string =>
  `${source} ${network}/${prefixLength}`;

const areSame = <A>(some: Routes<A>, others: Routes<A>): boolean =>
  some.length === others.length && some.every((route, index) => isSame(route, others[index] as Route<A>));

const isSame = <A>(a: Route<A>, b: Route<A>): boolean =>
  a.port === b.port &&
  a.via === b.via &&
  a.reject === b.reject &&
  a.distance === b.distance &&
  a.metric === b.metric &&
  a.tag === b.tag &&
  a.order === b.order;
