/** The shortest paths through an area (RFC 2328, section 16.1). */
import { LINK, type Lsa, type RouterLink } from "../../wire/ospf-lsa.ts";
import { mergeHops, type PathHop } from "./routing-table.ts";

/** An interface of the router that computes. */
export interface LocalLink {
  readonly port: number;
  readonly address: number;
  readonly prefixLength: number;
  readonly areaId: number;
  readonly isPointToPoint: boolean;
  /** The addresses of its neighbours, by router id. */
  readonly neighbours: ReadonlyMap<number, number>;
}

/** A router or a transit network. */
export interface Vertex {
  readonly lsa: Lsa;
  readonly isRouter: boolean;
  distance: number;
  hops: readonly PathHop[];
  isDone: boolean;
}

interface Graph {
  readonly routers: ReadonlyMap<number, Lsa>;
  /** By link state id: the address of the designated router. */
  readonly networks: ReadonlyMap<number, readonly Lsa[]>;
  readonly local: ReadonlyMap<number, LocalLink>;
}

/** @param lsas of the area, without those of MaxAge. @returns the vertices that can be reached, nearest first. */
export function shortestPaths(routerId: number, lsas: readonly Lsa[], links: readonly LocalLink[]): Vertex[] {
  const graph: Graph = {
    routers: new Map(lsas.flatMap((lsa) => (lsa.body.kind === "router" ? [[lsa.id, lsa] as const] : []))),
    networks: Map.groupBy(
      lsas.filter(({ body }) => body.kind === "network"),
      ({ id }) => id,
    ),
    local: new Map(links.map((link) => [link.address, link])),
  };
  const own = graph.routers.get(routerId);
  if (own === undefined) return [];
  const root: Vertex = { lsa: own, isRouter: true, distance: 0, hops: [], isDone: false };
  const vertices = new Map<Lsa, Vertex>([[own, root]]);
  const waiting = new VertexHeap();
  waiting.push(root);
  const done: Vertex[] = [];
  for (;;) {
    const vertex = waiting.pop();
    if (vertex === undefined) return done;
    vertex.isDone = true;
    done.push(vertex);
    for (const edge of edgesOf(graph, vertex)) {
      const hops = vertex === root ? firstHops(graph, edge) : hopsVia(vertex, edge);
      if (hops.length > 0) relax(vertices, waiting, edge.target, vertex.distance + edge.cost, hops);
    }
  }
}

interface Edge {
  readonly target: Lsa;
  readonly cost: number;
  /** Of a router, to the target. */
  readonly link: RouterLink | undefined;
}

/** Step 2: the links of a vertex whose other end links back. */
function* edgesOf({ routers, networks }: Graph, { lsa }: Vertex): Generator<Edge> {
  if (lsa.body.kind === "network") {
    for (const id of lsa.body.routers) {
      const target = routers.get(id);
      if (target !== undefined && linkTo(target, LINK.transit, lsa.id))
        yield { target, cost: 0, link: undefined };
    }
  } else if (lsa.body.kind === "router")
    for (const link of lsa.body.links) {
      const { type, id, metric: cost } = link;
      if (type === LINK.pointToPoint) {
        const target = routers.get(id);
        if (target !== undefined && linkTo(target, LINK.pointToPoint, lsa.id)) yield { target, cost, link };
      } else if (type === LINK.transit) {
        const target = networks.get(id)?.find((each) => hasRouter(each, lsa.id));
        if (target !== undefined) yield { target, cost, link };
      }
    }
}

const linksOf = ({ body }: Lsa): readonly RouterLink[] => (body.kind === "router" ? body.links : []);
const linkTo = (router: Lsa, type: number, id: number): RouterLink | undefined =>
  linksOf(router).find((link) => link.type === type && link.id === id);
const hasRouter = ({ body }: Lsa, id: number): boolean =>
  body.kind === "network" && body.routers.includes(id);

/** Section 16.1.1: the next hop of what the router itself links to. */
function firstHops({ local }: Graph, { target, link }: Edge): readonly PathHop[] {
  const own = link && local.get(link.data);
  if (own === undefined) return [];
  if (target.body.kind === "network") return [{ port: own.port, via: undefined }];
  const via = own.neighbours.get(target.id);
  return via === undefined ? [] : [{ port: own.port, via }];
}

/** What is behind an attached network has its router's address there as next hop; everything else inherits. */
function hopsVia({ lsa, hops }: Vertex, { target }: Edge): readonly PathHop[] {
  if (lsa.body.kind !== "network" || hops.every(({ via }) => via !== undefined)) return hops;
  const address = linkTo(target, LINK.transit, lsa.id)?.data;
  if (address === undefined) return [];
  const { mask } = lsa.body;
  return hops.flatMap((hop) => {
    if (hop.via !== undefined) return [hop];
    return ((address ^ lsa.id) & mask) === 0 ? [{ port: hop.port, via: address }] : [];
  });
}

function relax(
  vertices: Map<Lsa, Vertex>,
  waiting: VertexHeap,
  target: Lsa,
  distance: number,
  hops: readonly PathHop[],
): void {
  const known = vertices.get(target);
  if (known === undefined) {
    const vertex: Vertex = {
      lsa: target,
      isRouter: target.body.kind === "router",
      distance,
      hops,
      isDone: false,
    };
    vertices.set(target, vertex);
    waiting.push(vertex);
  } else if (distance === known.distance && !known.isDone) known.hops = mergeHops(known.hops, hops);
  else if (distance < known.distance) {
    known.distance = distance;
    known.hops = hops;
    waiting.push(known);
  }
}

/** At equal distances, networks come before routers: links from networks cost nothing (section 16.1, step 3). */
const rankOf = ({ distance, isRouter }: Vertex): number => 2 * distance + (isRouter ? 1 : 0);

class VertexHeap {
  readonly #heap: { readonly vertex: Vertex; readonly rank: number }[] = [];

  push(vertex: Vertex): void {
    const heap = this.#heap;
    const item = { vertex, rank: rankOf(vertex) };
    let at = heap.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.rank <= item.rank) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = item;
  }

  /** Skips vertices that were reached by a shorter path meanwhile. */
  pop(): Vertex | undefined {
    for (;;) {
      const item = this.#heap[0];
      if (item === undefined) return undefined;
      this.#removeFirst();
      if (!item.vertex.isDone && item.rank === rankOf(item.vertex)) return item.vertex;
    }
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.rank < heap[child]!.rank) child += 1;
      if (heap[child]!.rank >= last.rank) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

/** The prefix of a network-LSA. */
export const networkOf = ({ id, body }: Lsa): number =>
  body.kind === "network" ? (id & body.mask) >>> 0 : id;
