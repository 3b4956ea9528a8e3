/** The summary-LSAs of an area border router (RFC 2328, section 12.4.3), and the external ones of a boundary router (12.4.4). */
import { maskOf } from "../../wire/ipv4-address.ts";
import { LS_INFINITY, LSA } from "../../wire/ospf-lsa.ts";
import { BACKBONE, type ExternalRoute } from "./config.ts";
import { isBorderRouter, type Wanted } from "./own-links.ts";
import type { PathHop, RouterRoute, RoutingTable } from "./routing-table.ts";
import type { Area, Interface, Ospf } from "./state.ts";

interface Announced {
  readonly network: number;
  readonly prefixLength: number;
  readonly metric: number;
}

/** What the router announces into an area of the others. */
export function summaryLsas(ospf: Ospf, area: Area, options: number, table: RoutingTable): Wanted[] {
  if (!isBorderRouter(ospf)) return [];
  const { kind, hasNoSummaries, defaultCost } = area.config;
  const prefixes: Announced[] = [];
  if (kind === "stub") prefixes.push({ network: 0, prefixLength: 0, metric: defaultCost });
  if (!hasNoSummaries)
    for (const route of table.prefixes.values()) {
      if (route.kind !== "intra" && route.kind !== "inter") continue;
      const isDefault = route.prefixLength === 0 && kind === "stub";
      if (isDefault || !isAnnounced(ospf, area, route)) continue;
      prefixes.push({ network: route.network, prefixLength: route.prefixLength, metric: route.cost });
    }
  const networks = withIds(prefixes).map(({ id, prefixLength, metric }) => ({
    type: LSA.summaryNetwork,
    id,
    options,
    body: { kind: "summary", mask: maskOf(prefixLength), metric } as const,
  }));
  return kind === "stub" ? networks : [...networks, ...boundaryLsas(ospf, area, options, table)];
}

/** Type 4: the boundary routers of other areas. */
const boundaryLsas = (ospf: Ospf, area: Area, options: number, table: RoutingTable): Wanted[] =>
  [...table.boundaries.values()].flatMap((route: RouterRoute) =>
    route.id !== ospf.config.routerId && isAnnounced(ospf, area, route)
      ? [
          {
            type: LSA.summaryRouter,
            id: route.id,
            options,
            body: { kind: "summary", mask: 0, metric: route.cost } as const,
          },
        ]
      : [],
  );

/** A route of the area itself, or by way of it, is not announced there; and only the backbone passes routes between areas on. */
function isAnnounced(
  ospf: Ospf,
  area: Area,
  route: {
    readonly kind: string;
    readonly areaId: number;
    readonly cost: number;
    readonly hops: readonly PathHop[];
  },
): boolean {
  if (route.areaId === area.config.id || route.cost >= LS_INFINITY) return false;
  if (route.kind === "inter" && area.config.id === BACKBONE) return false;
  return !route.hops.some(({ port }) => ospf.interfaces.get(port)?.config.areaId === area.config.id);
}

export function externalLsas(ospf: Ospf, options: number): Wanted[] {
  return withIds(ospf.config.externals).map((route) => ({
    type: LSA.external,
    id: route.id,
    options,
    body: {
      kind: "external",
      mask: maskOf(route.prefixLength),
      isType2: route.isType2,
      metric: route.metric,
      forwarding: forwardingOf(ospf, route),
      tag: route.tag,
    } as const,
  }));
}

/** The gateway of a route, if the neighbours at an interface of OSPF reach it directly. */
function forwardingOf(ospf: Ospf, { via }: ExternalRoute): number {
  if (via === undefined) return 0;
  const isDirect = ({ config }: Interface): boolean =>
    config.network === "broadcast" && ((config.address ^ via) & maskOf(config.prefixLength)) === 0;
  return [...ospf.interfaces.values()].some(isDirect) ? via : 0;
}

/** Appendix E: of the prefixes of one address, the shortest has it as link state id, and the others have the bits of their hosts set, too. */
export function withIds<P extends { readonly network: number; readonly prefixLength: number }>(
  prefixes: readonly P[],
): (P & { readonly id: number })[] {
  const used = new Set<number>();
  return prefixes
    .toSorted((a, b) => a.network - b.network || a.prefixLength - b.prefixLength)
    .map((prefix) => {
      const { network, prefixLength } = prefix;
      const id = used.has(network) ? (network | ~maskOf(prefixLength)) >>> 0 : network;
      used.add(id);
      return { ...prefix, id };
    });
}
