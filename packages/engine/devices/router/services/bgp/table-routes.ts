/** The routes of BGP as the router's table has them. */
import type { Route } from "../../../../net/fib/route.ts";
import type { Installed } from "../../../../routing/bgp/state.ts";

export const toRoutes = ({ network, length, distance, metric, hops }: Installed): Route<number>[] =>
  hops.map((hop, order) => ({
    network,
    prefixLength: length,
    source: "bgp" as const,
    distance,
    metric,
    order,
    ...hop,
  }));
