/** Computes the routes of all areas (RFC 2328, section 16). */
import { maskOf, prefixLengthOf } from "../../wire/ipv4-address.ts";
import { LINK, LS_INFINITY, LSA, type Lsa, ROUTER_FLAG } from "../../wire/ospf-lsa.ts";
import { BACKBONE } from "./config.ts";
import {
  mergeHops,
  PATH_KINDS,
  type PathHop,
  type PrefixRoute,
  prefixKey,
  type RouterRoute,
  type RoutingTable,
} from "./routing-table.ts";
import { type LocalLink, networkOf, shortestPaths, type Vertex } from "./spf.ts";

/** What the routes depend on, at one time. */
export interface RoutingInput {
  readonly routerId: number;
  readonly isBorder: boolean;
  readonly areas: readonly InputArea[];
  /** AS-external LSAs. */
  readonly external: readonly Lsa[];
  readonly links: readonly LocalLink[];
}

interface InputArea {
  readonly id: number;
  /** Without those of MaxAge. */
  readonly lsas: readonly Lsa[];
}

export function computeRoutes(input: RoutingInput): RoutingTable {
  const work = new Work(input);
  for (const area of input.areas) work.addArea(area);
  const backbone = input.areas.filter(({ id }) => id === BACKBONE);
  // Section 16.2: border routers look at the backbone only.
  for (const area of input.isBorder ? backbone : input.areas) work.addSummaries(area);
  work.addExternals();
  return work;
}

class Work implements RoutingTable {
  readonly prefixes = new Map<number, PrefixRoute>();
  readonly borders: RouterRoute[] = [];
  readonly boundaries = new Map<number, RouterRoute>();
  readonly #input: RoutingInput;

  constructor(input: RoutingInput) {
    this.#input = input;
  }

  addArea({ id: areaId, lsas }: InputArea): void {
    const { routerId, links } = this.#input;
    const own = links.filter((link) => link.areaId === areaId);
    const vertices = shortestPaths(routerId, lsas, own);
    for (const vertex of vertices)
      if (vertex.isRouter) this.#addRouter(areaId, vertex);
      else this.#addNetwork(areaId, networkOf(vertex.lsa), maskIn(vertex.lsa), vertex.distance, vertex.hops);
    // Step 5, the second stage: stub networks.
    for (const vertex of vertices) if (vertex.isRouter) this.#addStubs(areaId, vertex, own);
  }

  #addRouter(areaId: number, { lsa, distance, hops }: Vertex): void {
    if (lsa.body.kind !== "router") return;
    const isBorder = (lsa.body.flags & ROUTER_FLAG.border) !== 0;
    const isBoundary = (lsa.body.flags & ROUTER_FLAG.boundary) !== 0;
    const route: RouterRoute = {
      id: lsa.id,
      kind: "intra",
      cost: distance,
      areaId,
      hops,
      isBorder,
      isBoundary,
    };
    if (isBorder && lsa.id !== this.#input.routerId) this.borders.push(route);
    if (isBoundary) this.#offerBoundary(route);
  }

  /** Section 16.4.1: a path through an area other than the backbone comes first, then the one that costs less. */
  #offerBoundary(route: RouterRoute): void {
    const before = this.boundaries.get(route.id);
    const order = before === undefined ? -1 : compareBoundaries(route, before);
    if (order < 0) this.boundaries.set(route.id, route);
    else if (order === 0 && before !== undefined && before.areaId === route.areaId)
      this.boundaries.set(route.id, { ...before, hops: mergeHops(before.hops, route.hops) });
  }

  #addStubs(areaId: number, { lsa, distance, hops }: Vertex, links: readonly LocalLink[]): void {
    if (lsa.body.kind !== "router") return;
    const isOwn = lsa.id === this.#input.routerId;
    for (const { type, id, data, metric } of lsa.body.links) {
      if (type !== LINK.stub) continue;
      const ownHops = isOwn ? attached(links, id, data) : hops;
      this.#addNetwork(areaId, (id & data) >>> 0, data, distance + metric, ownHops);
    }
  }

  #addNetwork(areaId: number, network: number, mask: number, cost: number, hops: readonly PathHop[]): void {
    const prefixLength = prefixLengthOf(mask);
    if (prefixLength === null || cost >= LS_INFINITY) return;
    this.#offer({ network, prefixLength, kind: "intra", cost, type2Cost: 0, areaId, tag: 0, hops });
  }

  #offer(route: PrefixRoute): void {
    const key = prefixKey(route.network, route.prefixLength);
    const before = this.prefixes.get(key);
    const order = before === undefined ? -1 : comparePaths(route, before);
    if (order < 0) this.prefixes.set(key, route);
    else if (order === 0 && before !== undefined)
      this.prefixes.set(key, { ...before, hops: mergeHops(before.hops, route.hops) });
  }

  /** Section 16.2. */
  addSummaries({ id: areaId, lsas }: InputArea): void {
    const borders = new Map(
      this.borders.flatMap((each) => (each.areaId === areaId ? [[each.id, each]] : [])),
    );
    for (const lsa of lsas) {
      const { body, advertiser } = lsa;
      if (body.kind !== "summary" || body.metric >= LS_INFINITY || advertiser === this.#input.routerId)
        continue;
      const border = borders.get(advertiser);
      if (border === undefined) continue;
      const { hops } = border;
      const cost = border.cost + body.metric;
      if (cost >= LS_INFINITY) continue;
      if (lsa.type === LSA.summaryRouter) {
        if (lsa.id === this.#input.routerId) continue;
        this.#offerBoundary({
          id: lsa.id,
          kind: "inter",
          cost,
          areaId,
          hops,
          isBorder: false,
          isBoundary: true,
        });
        continue;
      }
      const prefixLength = prefixLengthOf(body.mask);
      if (prefixLength === null) continue;
      const network = (lsa.id & body.mask) >>> 0;
      this.#offer({ network, prefixLength, kind: "inter", cost, type2Cost: 0, areaId, tag: 0, hops });
    }
  }

  /** Section 16.4. The paths to forwarding addresses are those inside the system, so they are found first. */
  addExternals(): void {
    const found = this.#input.external.flatMap((lsa) => this.#external(lsa));
    for (const route of found) this.#offer(route);
  }

  #external(lsa: Lsa): PrefixRoute[] {
    const { body, advertiser } = lsa;
    if (body.kind !== "external" || lsa.type !== LSA.external) return [];
    const boundary = this.boundaries.get(advertiser);
    const prefixLength = prefixLengthOf(body.mask);
    if (advertiser === this.#input.routerId || body.metric >= LS_INFINITY) return [];
    if (boundary === undefined || prefixLength === null) return [];
    const target = body.forwarding === 0 ? boundary : this.#pathTo(body.forwarding);
    if (target === undefined) return [];
    return [
      {
        network: (lsa.id & body.mask) >>> 0,
        prefixLength,
        kind: body.isType2 ? "external2" : "external1",
        cost: target.cost + (body.isType2 ? 0 : body.metric),
        type2Cost: body.isType2 ? body.metric : 0,
        areaId: target.areaId,
        tag: body.tag,
        hops: target.hops,
      },
    ];
  }

  /** The path inside the system to an address; hops on an attached network are the address itself. */
  #pathTo(address: number): Pick<PrefixRoute, "cost" | "areaId" | "hops"> | undefined {
    for (let prefixLength = 32; prefixLength >= 0; prefixLength--) {
      const route = this.prefixes.get(prefixKey((address & maskOf(prefixLength)) >>> 0, prefixLength));
      if (route === undefined) continue;
      const { cost, areaId } = route;
      return { cost, areaId, hops: route.hops.map(({ port, via }) => ({ port, via: via ?? address })) };
    }
    return undefined;
  }
}

const maskIn = ({ body }: Lsa): number => (body.kind === "network" ? body.mask : 0);

/** The interfaces with a stub network of the router itself. */
const attached = (links: readonly LocalLink[], network: number, mask: number): PathHop[] =>
  links.flatMap(({ address, port }) =>
    ((address ^ network) & mask) === 0 ? [{ port, via: undefined }] : [],
  );

/** Negative if the first path is preferred, 0 if both are used. */
function comparePaths(a: PrefixRoute, b: PrefixRoute): number {
  const kinds = PATH_KINDS.indexOf(a.kind) - PATH_KINDS.indexOf(b.kind);
  return kinds || a.type2Cost - b.type2Cost || a.cost - b.cost;
}

function compareBoundaries(a: RouterRoute, b: RouterRoute): number {
  return (
    PATH_KINDS.indexOf(a.kind) - PATH_KINDS.indexOf(b.kind) ||
    Number(isByBackbone(a)) - Number(isByBackbone(b)) ||
    a.cost - b.cost ||
    // Of the same cost: the larger area id.
    b.areaId - a.areaId
  );
}

const isByBackbone = ({ kind, areaId }: RouterRoute): boolean => kind === "intra" && areaId === BACKBONE;
