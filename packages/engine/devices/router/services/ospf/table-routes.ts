/** The routes of OSPF as the router's table has them. */
import type { Route } from "../../../../net/fib/route.ts";
import type { PrefixRoute } from "../../../../routing/ospf/routing-table.ts";

/** FRR's administrative distance of all routes of OSPF. */
const OSPF_DISTANCE = 110;

/** The codes of FRR. */
const PATHS = { inter: "IA", external1: "E1", external2: "E2" } as const;

/** The hops of a route as routes of the table; an attached subnet has one already. */
export function routesOf({
  network,
  prefixLength,
  kind,
  cost,
  type2Cost,
  hops,
}: PrefixRoute): Route<number>[] {
  return hops.flatMap(({ port, via }, order) =>
    via === undefined
      ? []
      : [
          {
            network,
            prefixLength,
            source: "ospf" as const,
            distance: OSPF_DISTANCE,
            metric: kind === "external2" ? type2Cost : cost,
            order,
            port,
            via,
            ...(kind !== "intra" && { path: PATHS[kind] }),
          },
        ],
  );
}
