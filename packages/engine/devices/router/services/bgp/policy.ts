/** The policies of a neighbour, `prefix-list`, `filter-list` and `route-map`, as functions of a route. */
import type { Judged, NeighbourConfig, Policy } from "../../../../routing/bgp/config.ts";
import type { Prefix } from "../../../../routing/bgp/prefix.ts";
import { type Policies, policiesOf } from "../../../../routing/policy/policies.ts";
import type { JudgedRoute } from "../../../../routing/policy/route.ts";
import { applyRouteMap } from "../../../../routing/policy/route-map.ts";
import { parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { RouterConfig } from "../base/config.ts";
import type { NeighbourSpec } from "./neighbour-settings.ts";

interface Names {
  readonly prefixList: string | undefined;
  readonly filterList: string | undefined;
  readonly routeMap: string | undefined;
}

export function policiesFor(
  running: RouterConfig,
  own: NeighbourSpec,
  peer: string,
): Pick<NeighbourConfig, "policyText" | "policyIn" | "policyOut"> {
  const namesIn = { prefixList: own.prefixListIn, filterList: own.filterListIn, routeMap: own.routeMapIn };
  const namesOut = {
    prefixList: own.prefixListOut,
    filterList: own.filterListOut,
    routeMap: own.routeMapOut,
  };
  const isUsed = [namesIn, namesOut].some(hasPolicy);
  const { routeLists = [], routeMaps = [] } = running;
  return {
    policyText: isUsed ? JSON.stringify([namesIn, namesOut, routeLists, routeMaps]) : "",
    policyIn: hasPolicy(namesIn) ? policyOf(running, namesIn, peer, true) : undefined,
    policyOut: hasPolicy(namesOut) ? policyOf(running, namesOut, peer, false) : undefined,
  };
}

const hasPolicy = (names: Names): boolean => Object.values(names).some((name) => name !== undefined);

/** As FRR: lists judge the route first, then the route map. */
function policyOf(running: RouterConfig, names: Names, peer: string, isIn: boolean): Policy {
  const policies = policiesOf(running);
  return (route, prefix) => {
    if (!passesLists(policies, names, route, prefix)) return undefined;
    if (names.routeMap === undefined) return route;
    const judged = applyRouteMap(policies, names.routeMap, "bgp", toJudged(route, prefix, peer));
    return judged && fromJudged(route, judged, peer, isIn);
  };
}

function passesLists(
  policies: Policies,
  { prefixList, filterList }: Names,
  { attributes }: Judged,
  { network, length }: Prefix,
): boolean {
  const prefix = { address: network, prefixLength: length };
  return (
    (prefixList === undefined || policies.prefix(4, prefixList, prefix)) &&
    (filterList === undefined || policies.path(filterList, attributes.asPath))
  );
}

const toJudged = (
  { attributes, weight }: Judged,
  { network, length }: Prefix,
  peer: string,
): JudgedRoute => ({
  prefix: { address: network, prefixLength: length },
  protocol: "bgp",
  metric: attributes.med,
  tag: 0,
  nextHop: attributes.nextHop,
  bgp: { ...attributes, weight, peer },
});

function fromJudged(
  before: Judged,
  { bgp, metric, nextHop, nextHopRule }: JudgedRoute,
  peerAddress: string,
  isIn: boolean,
): Judged {
  const { attributes } = before;
  // `peer-address`: the other end of a received route, the own one of an announced route.
  const own = isIn ? parseIpv4(peerAddress)! : 0;
  if (bgp === undefined) return before;
  const { weight, peer: _, peerAs: _as, ...changed } = bgp;
  return {
    attributes: {
      ...attributes,
      ...changed,
      med: metric,
      nextHop:
        nextHopRule === "peer-address" ? own : typeof nextHop === "number" ? nextHop : attributes.nextHop,
    },
    weight,
    ...(nextHopRule !== undefined && !isIn && { keepsNextHop: true }),
  };
}
