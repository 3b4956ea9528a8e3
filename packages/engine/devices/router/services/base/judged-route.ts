/** A route of the table as policies judge it. */
import type { Route } from "../../../../net/fib/route.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import type { JudgedRoute } from "../../../../routing/policy/route.ts";

export const judgedOf = (
  { network, prefixLength, source, metric, tag = 0, via, port, reject }: Route<number>,
  ports: readonly RouterPort[],
): JudgedRoute => ({
  prefix: { address: network, prefixLength },
  protocol: source,
  metric,
  tag,
  nextHop: via,
  interface: ports[port]?.name,
  isBlackhole: reject !== undefined,
});
