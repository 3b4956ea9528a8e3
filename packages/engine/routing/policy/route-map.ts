/**
 * The verdict of a route map, as in FRR:
 *
 *     an entry matches, and is `deny`      the route is denied
 *     an entry matches, and is `permit`    its `set` clauses, then `call`: a denial there is final; then `on-match`, or the route is permitted
 *     no (further) entry matches           denied, unless an entry has permitted it and went on
 *
 * A map that does not exist denies every route. A `call` of one that does not exist calls nothing.
 */
import type { MapEntry, Policies } from "./policies.ts";
import type { Judge, JudgedRoute } from "./route.ts";

const MOST_CALLS = 10;

/** @returns the changed route; undefined if it is denied. What a protocol adds to its route stays. */
export function applyRouteMap<R extends JudgedRoute>(
  policies: Policies,
  name: string,
  judge: Judge,
  route: R,
): R | undefined {
  return apply(policies, name, judge, route, 0) as R | undefined;
}

function apply(
  policies: Policies,
  name: string,
  judge: Judge,
  given: JudgedRoute,
  depth: number,
): JudgedRoute | undefined {
  const entries = policies.map(name);
  if (entries === undefined || depth > MOST_CALLS) return undefined;
  let route = given;
  let isPermitted = false;
  let from = 0;
  for (const entry of entries) {
    if (entry.seq < from || !matches(entry, judge, route, policies)) continue;
    if (!entry.isPermit) return undefined;
    isPermitted = true;
    for (const { judges, change } of entry.set) if (judges.includes(judge)) route = change(route, policies);
    if (entry.call !== undefined && policies.map(entry.call) !== undefined) {
      const called = apply(policies, entry.call, judge, route, depth + 1);
      if (called === undefined) return undefined;
      route = called;
    }
    if (entry.goesOnFrom === undefined) return route;
    from = entry.goesOnFrom;
  }
  return isPermitted ? route : undefined;
}

/** Clauses that the protocol does not have count as absent; an entry without clauses matches each route. */
const matches = ({ match }: MapEntry, judge: Judge, route: JudgedRoute, policies: Policies): boolean =>
  match.every(({ judges, test }) => !judges.includes(judge) || test(route, policies));
