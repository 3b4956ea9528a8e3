/** Places the nodes of a lab on a plane. Equal labs get equal places. */
import dagre from "@dagrejs/dagre";
import type { LabModel } from "../model/lab-model.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** Centres of the nodes, by name. */
  readonly places: ReadonlyMap<string, Point>;
  readonly width: number;
  readonly height: number;
}

export const NODE_WIDTH = 132;
export const NODE_HEIGHT = 78;
const MARGIN = 24;

/** Routers and switches are above PCs: links are directed from the nodes that have more of them. */
export function layOut({ nodes, links }: LabModel): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 36, ranksep: 72, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  const degrees = new Map<string, number>();
  for (const { ends } of links) for (const { node } of ends) degrees.set(node, (degrees.get(node) ?? 0) + 1);
  for (const { name } of nodes) graph.setNode(name, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { name, ends } of links) {
    const [a, b] = ends.map(({ node }) => node) as [string, string];
    const isDown = rank(degrees.get(a)!, nodes, a) >= rank(degrees.get(b)!, nodes, b);
    graph.setEdge(isDown ? a : b, isDown ? b : a, {}, name);
  }
  dagre.layout(graph);
  const places = new Map(nodes.map(({ name }) => [name, pick(graph.node(name))]));
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { places, width, height };
}

const RANKS = {
  router: 1_000,
  linux: 900,
  ethernet_switch: 500,
  ethernet_hub: 400,
  server: 0,
  nat: 0,
  vpcs: 0,
  cloud: 0,
} as const;

const rank = (degree: number, nodes: LabModel["nodes"], name: string): number =>
  RANKS[nodes.find((node) => node.name === name)!.spec.type] + degree;

const pick = ({ x, y }: Point): Point => ({ x, y });
