/** The routes of OSPF as the router's table has them. */
import type { Route } from "../../../../net/fib/route.ts";
import type { PrefixRoute } from "../../../../routing/ospf/routing-table.ts";
import type { OspfSpec } from "./settings.ts";

/** FRR's administrative distance of all routes of OSPF. */
const OSPF_DISTANCE = 110;

/** The distance of a kind of routes: its own, that of all, or FRR's. */
export type Distances = Partial<Pick<OspfSpec, "distance" | "distances">>;

function distanceOf(kind: PrefixRoute["kind"], { distance, distances }: Distances): number {
  const own = kind === "intra" || kind === "inter" ? distances?.[kind] : distances?.external;
  return own ?? distance ?? OSPF_DISTANCE;
}

/** The codes of FRR. */
const PATHS = { inter: "IA", external1: "E1", external2: "E2" } as const;

/** The hops of a route as routes of the table; an attached subnet has one already. */
export function routesOf(
  { network, prefixLength, kind, cost, type2Cost, tag, hops }: PrefixRoute,
  distances: Distances,
): Route<number>[] {
  return hops.flatMap(({ port, via }, order) =>
    via === undefined
      ? []
      : [
          {
            network,
            prefixLength,
            source: "ospf" as const,
            distance: distanceOf(kind, distances),
            metric: kind === "external2" ? type2Cost : cost,
            order,
            port,
            via,
            ...(tag !== 0 && { tag }),
            ...(kind !== "intra" && { path: PATHS[kind] }),
          },
        ],
  );
}
