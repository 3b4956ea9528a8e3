/** The LSAs of a router about itself and its links: router-LSAs (RFC 2328, section 12.4.1) and network-LSAs (12.4.2). */
import { maskOf } from "../../wire/ipv4-address.ts";
import { LINK, LSA, type LsaBody, ROUTER_FLAG, type RouterLink } from "../../wire/ospf-lsa.ts";
import { BACKBONE } from "./config.ts";
import type { Area, Interface, Neighbour, Ospf } from "./state.ts";

/** An LSA that the router is to have in a database. */
export interface Wanted {
  readonly type: number;
  readonly id: number;
  readonly options: number;
  readonly body: LsaBody;
}

const HOST_MASK = 0xffff_ffff;

const interfacesOf = (ospf: Ospf, { config }: Area): Interface[] =>
  [...ospf.interfaces.values()].filter((iface) => iface.config.areaId === config.id);

const fullNeighbours = ({ neighbours }: Interface): Neighbour[] =>
  [...neighbours.values()].filter(({ state }) => state === "full");

/** FRR's `abr-type cisco`: a router with interfaces in several areas, of which one is the backbone. */
export function isBorderRouter(ospf: Ospf): boolean {
  const areas = new Set([...ospf.interfaces.values()].map(({ config }) => config.areaId));
  return areas.size > 1 && areas.has(BACKBONE);
}

export const isBoundaryRouter = ({ config }: Ospf): boolean =>
  config.isBoundary || config.externals.length > 0;

/** The router-LSA of an area. */
export function routerLsa(ospf: Ospf, area: Area, options: number): Wanted {
  const isBoundary = isBoundaryRouter(ospf) && area.config.kind !== "stub";
  const flags = (isBorderRouter(ospf) ? ROUTER_FLAG.border : 0) | (isBoundary ? ROUTER_FLAG.boundary : 0);
  const links = interfacesOf(ospf, area).flatMap(linksOf);
  return { type: LSA.router, id: ospf.config.routerId, options, body: { kind: "router", flags, links } };
}

function linksOf(iface: Interface): RouterLink[] {
  switch (iface.state) {
    case "down":
      return [];
    case "loopback":
      return [{ type: LINK.stub, id: iface.config.address, data: HOST_MASK, metric: 0 }];
    case "point-to-point":
      return [
        ...fullNeighbours(iface).map((neighbour) => pointToPointLink(iface, neighbour)),
        stubLink(iface),
      ];
    default:
      return [hasTransit(iface) ? transitLink(iface) : stubLink(iface)];
  }
}

const pointToPointLink = ({ config }: Interface, { id }: Neighbour): RouterLink => ({
  type: LINK.pointToPoint,
  id,
  data: config.address,
  metric: config.cost,
});

/** Section 12.4.1.2: the link is a transit network once the router has an adjacency with its designated router, or is this with any other. */
function hasTransit(iface: Interface): boolean {
  if (iface.state === "waiting" || iface.designated === 0) return false;
  const full = fullNeighbours(iface);
  return iface.state === "designated"
    ? full.length > 0
    : full.some(({ address }) => address === iface.designated);
}

const transitLink = ({ config, designated }: Interface): RouterLink => ({
  type: LINK.transit,
  id: designated,
  data: config.address,
  metric: config.cost,
});

function stubLink({ config }: Interface): RouterLink {
  const mask = maskOf(config.prefixLength);
  return { type: LINK.stub, id: (config.address & mask) >>> 0, data: mask, metric: config.cost };
}

/** The network-LSAs of the links whose designated router this is. */
export const networkLsas = (ospf: Ospf, area: Area, options: number): Wanted[] =>
  interfacesOf(ospf, area).flatMap((iface) => {
    if (iface.state !== "designated" || !hasTransit(iface)) return [];
    const routers = [ospf.config.routerId, ...fullNeighbours(iface).map(({ id }) => id)];
    const body = { kind: "network", mask: maskOf(iface.config.prefixLength), routers } as const;
    return [{ type: LSA.network, id: iface.config.address, options, body }];
  });
