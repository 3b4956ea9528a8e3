/** The routes of others that OSPF announces: those in use, as a route map lets them. */
import { network4 } from "../../../../net/address/prefix.ts";
import type { Route } from "../../../../net/fib/route.ts";
import type { Tables } from "../../../../net/plane/tables.ts";
import type { ExternalRoute, InterfaceConfig } from "../../../../routing/ospf/config.ts";
import { policiesOf } from "../../../../routing/policy/policies.ts";
import { applyRouteMap } from "../../../../routing/policy/route-map.ts";
import type { RouterConfig } from "../base/config.ts";
import { judgedOf } from "../base/judged-route.ts";
import { ALWAYS_METRIC, DEFAULT_ROUTE_METRIC, type OspfSpec } from "./settings.ts";

interface Rule {
  readonly metric: number;
  readonly metricType: "1" | "2";
  readonly routeMap?: string;
}

const MAX_METRIC = 16_777_215;
/** As in FRR, a route map begins with this one, whatever `redistribute` has: `set metric +5` makes 25. Of 0, the metric of `redistribute` stays. */
const MAP_METRIC = 20;

/** Whether the routes depend on more than the configuration. */
export const dependsOnRoutes = (
  { redistribute, defaultRoute }: OspfSpec,
  { routes, rip, ...others }: RouterConfig,
): boolean =>
  redistribute.rip !== undefined ||
  redistribute.bgp !== undefined ||
  (redistribute.static !== undefined && routes.some(({ distance }) => distance !== undefined)) ||
  (defaultRoute?.always === false && (rip !== undefined || "bgp" in others));

export const allExternals = (
  running: RouterConfig,
  spec: OspfSpec,
  tables: Tables,
  interfaces: readonly InterfaceConfig[],
): ExternalRoute[] => [
  ...externalRoutes(running, spec, tables, interfaces),
  ...defaultRoutes(running, spec, tables),
];

/** A subnet of OSPF is not redistributed, and neither is a default route. */
function externalRoutes(
  running: RouterConfig,
  spec: OspfSpec,
  tables: Tables,
  interfaces: readonly InterfaceConfig[],
): ExternalRoute[] {
  const { redistribute } = spec;
  const isOwn = ({ network, prefixLength, source }: Route<number>): boolean =>
    source === "connected" &&
    interfaces.some(
      (each) => each.prefixLength === prefixLength && network4(each.address, prefixLength) === network,
    );
  const found = candidates(running, spec, tables).flatMap((route): ExternalRoute[] => {
    const rule: Rule | undefined = (redistribute as Readonly<Record<string, Rule>>)[route.source];
    if (rule === undefined || route.prefixLength === 0 || isOwn(route)) return [];
    return announced(running, tables, route, rule, rule.metric);
  });
  return distinct(found);
}

/** Connected and static routes in the order of the configuration, then those of protocols. */
function candidates(
  running: RouterConfig,
  spec: OspfSpec,
  { configured4, routes4 }: Tables,
): readonly Route<number>[] {
  if (!dependsOnRoutes(spec, running)) return configured4;
  const inUse = routes4.list().filter(({ source }) => source !== "ospf");
  const used = new Set(inUse);
  return [
    ...configured4.filter((route) => used.has(route)),
    ...inUse.filter(({ source }) => source !== "connected" && source !== "static"),
  ];
}

function announced(
  running: RouterConfig,
  tables: Tables,
  route: Route<number>,
  { metricType, routeMap }: Rule,
  metric: number,
): ExternalRoute[] {
  const { network, prefixLength, source, via } = route;
  const judged = { ...judgedOf(route, tables.ports), metric: MAP_METRIC };
  const permitted =
    routeMap === undefined ? judged : applyRouteMap(policiesOf(running), routeMap, "ospf", judged);
  if (permitted === undefined) return [];
  const set = permitted.isMetricSet ? (permitted.metric ?? 0) : 0;
  return [
    {
      network,
      prefixLength,
      metric: set < 1 ? metric : Math.min(MAX_METRIC, set),
      isType2: (permitted.metricType ?? metricType) === "2",
      tag: permitted.tag,
      via: source === "connected" ? undefined : via,
    },
  ];
}

const distinct = (routes: readonly ExternalRoute[]): ExternalRoute[] =>
  [
    ...new Map(routes.toReversed().map((route) => [route.network * 64 + route.prefixLength, route])).values(),
  ].reverse();

/** The default route is there if another source has one in use, or always. */
function defaultRoutes(running: RouterConfig, spec: OspfSpec, tables: Tables): ExternalRoute[] {
  const { defaultRoute } = spec;
  if (defaultRoute === undefined) return [];
  const { always, metric = always ? ALWAYS_METRIC : DEFAULT_ROUTE_METRIC } = defaultRoute;
  const own = candidates(running, spec, tables).find(({ prefixLength }) => prefixLength === 0);
  if (own === undefined && !always) return [];
  const route = own ?? NOWHERE;
  return announced(running, tables, route, { ...defaultRoute, metric }, metric).map((each) => ({
    ...each,
    via: undefined,
  }));
}

const NOWHERE: Route<number> = {
  network: 0,
  prefixLength: 0,
  source: "connected",
  distance: 0,
  metric: 0,
  order: 0,
  port: -1,
  via: undefined,
};
