/** The static routes that apply: those whose gateway is on a subnet of an interface that is up, and whose tracked target answers. */

import {
  contains4,
  contains6,
  isPrefix4,
  type Prefix4,
  type Prefix6,
  parseAnyAddress,
  parseAnyPrefix,
} from "../address/prefix.ts";
import type { Route } from "../fib/route.ts";
import { distanceOf, isRejection, type StaticRoute, trackKey } from "./route-spec.ts";

/** An interface with its subnets; those of one that is down are undefined. */
interface Subnets {
  readonly index: number;
  readonly ipv4: Prefix4 | undefined;
  readonly ipv6: Prefix6 | undefined;
}

export interface IdleRoute {
  readonly route: StaticRoute;
  readonly why: string;
}

type AnyRoute = Route<number> | Route<bigint>;

export const isRoute4 = (route: AnyRoute): route is Route<number> => typeof route.network === "number";

/** @returns the routes that apply, those with a lower distance first, and the others. Several to one network have one distance. */
export function staticRoutes(
  routes: readonly StaticRoute[],
  interfaces: readonly Subnets[],
  tracksDown: ReadonlySet<string>,
): { readonly active: readonly AnyRoute[]; readonly idle: readonly IdleRoute[] } {
  const active: AnyRoute[] = [];
  const idle: IdleRoute[] = [];
  const taken = new Map<string, number>();
  const sorted = routes
    .map((route, order) => ({ route, order }))
    .toSorted((a, b) => distanceOf(a.route) - distanceOf(b.route));
  for (const { route, order } of sorted) {
    const key = trackKey(route);
    const gateway = isRejection(route.via) ? undefined : gatewayOf(route.via, interfaces);
    if (gateway === undefined && !isRejection(route.via))
      idle.push({ route, why: "gateway not on a subnet" });
    else if (key !== undefined && tracksDown.has(key)) idle.push({ route, why: "tracked address down" });
    else if ((taken.get(route.to) ?? distanceOf(route)) < distanceOf(route))
      idle.push({ route, why: "standby" });
    else {
      taken.set(route.to, distanceOf(route));
      active.push(toRoute(route, gateway, order));
    }
  }
  return { active, idle };
}

/** The interface of a gateway; undefined if it is shut down or has no carrier. */
export const gatewayOf = (via: string, interfaces: readonly Subnets[]): number | undefined => {
  const address = parseAnyAddress(via)!;
  return interfaces.find((each) => isOnSubnet(each, address))?.index;
};

function toRoute(route: StaticRoute, gateway: number | undefined, order: number): AnyRoute {
  const { via } = route;
  const to = parseAnyPrefix(route.to)!;
  const more = {
    prefixLength: to.prefixLength,
    source: "static",
    distance: distanceOf(route),
    metric: 0,
    order,
    port: gateway ?? -1,
    ...(route.tag !== undefined && { tag: route.tag }),
    ...(isRejection(via) && { reject: via }),
  } as const;
  const nextHop = isRejection(via) ? undefined : parseAnyAddress(via)!;
  return isPrefix4(to)
    ? { network: to.address, via: nextHop as number | undefined, ...more }
    : { network: to.address, via: nextHop as bigint | undefined, ...more };
}

function isOnSubnet({ ipv4, ipv6 }: Subnets, address: number | bigint): boolean {
  if (typeof address === "number") return ipv4 !== undefined && contains4(ipv4, address);
  return ipv6 !== undefined && contains6(ipv6, address);
}
