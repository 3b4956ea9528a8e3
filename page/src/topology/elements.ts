/** Nodes and links of a lab as elements of the graph. */
import type { ElementDefinition } from "cytoscape";
import type { Link, Node } from "../api/types.ts";
import { portName } from "../lab/link-name.ts";
import type { Mark } from "../link/marks.ts";
import { placePortNames } from "./port-names.ts";

/** The size of a symbol that gives none. */
const DEFAULT_SIZE = 60;

const sizeOf = ({ width, height }: Node): { width: number; height: number } => ({
  width: width || DEFAULT_SIZE,
  height: height || DEFAULT_SIZE,
});

export const boxOf = (node: Node) => ({ x: node.x, y: node.y, ...sizeOf(node) });

/** The interface places nodes by their upper left corner, the graph by their centre. */
export function centreOf(node: Node): { x: number; y: number } {
  const { width, height } = sizeOf(node);
  return { x: node.x + width / 2, y: node.y + height / 2 };
}

export function cornerOf(node: Node, centre: { x: number; y: number }): { x: number; y: number } {
  const { width, height } = sizeOf(node);
  return { x: Math.round(centre.x - width / 2), y: Math.round(centre.y - height / 2) };
}

export const nodeElement = (node: Node, picture: string): ElementDefinition => ({
  group: "nodes",
  data: { id: node.node_id, name: node.name, ...sizeOf(node), images: imagesOf(node, picture) },
  position: centreOf(node),
  classes: node.status,
  grabbable: !node.locked,
});

/** The ids of the links between nodes that have more than one: these are drawn as curves, which take longer. */
export function parallelLinks(links: Iterable<Link>): Set<string> {
  const byPair = Map.groupBy(links, ({ nodes }) =>
    nodes
      .map(({ node_id }) => node_id)
      .toSorted()
      .join(" "),
  );
  return new Set(
    [...byPair.values()].flatMap((pair) => (pair.length > 1 ? pair.map(({ link_id }) => link_id) : [])),
  );
}

export function linkElement(
  link: Link,
  nodes: ReadonlyMap<string, Node>,
  isParallel: boolean,
  marks: readonly Mark[],
): ElementDefinition | null {
  const [a, b] = link.nodes;
  if (a === undefined || b === undefined) return null;
  const [from, to] = [nodes.get(a.node_id), nodes.get(b.node_id)];
  if (from === undefined || to === undefined) return null;
  const ports = [portName(a, nodes), portName(b, nodes)] as const;
  return {
    group: "edges",
    data: {
      id: link.link_id,
      source: a.node_id,
      target: b.node_id,
      ports,
      ...placePortNames(boxOf(from), boxOf(to), ports),
      marks: marks.map(({ words }) => words).join(" · "),
    },
    classes: [...(isParallel ? ["parallel"] : []), ...marks.map(({ kind }) => kind)].join(" "),
  };
}

const svg = (body: string): string =>
  `data:image/svg+xml;utf8,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="18" height="18" viewBox="0 0 18 18">${body}</svg>`)}`;

export const EMPTY = svg("");

/** The pictures of a node: its symbol, and above that its status. */
export const imagesOf = ({ status }: Node, picture: string): readonly string[] => [picture, BADGES[status]];

/** The status of a node, as colour and as shape. */
const BADGES: Readonly<Record<Node["status"], string>> = {
  started: svg(
    '<circle cx="9" cy="9" r="8" fill="#16845b" stroke="#fff"/><path d="M7 5.5v7l5.5-3.5z" fill="#fff"/>',
  ),
  stopped: svg(
    '<circle cx="9" cy="9" r="8" fill="#6b7780" stroke="#fff"/><path d="M6 6h6v6H6z" fill="#fff"/>',
  ),
  suspended: svg(
    '<circle cx="9" cy="9" r="8" fill="#a86500" stroke="#fff"/><path d="M6 5.5h2v7H6zm4 0h2v7h-2z" fill="#fff"/>',
  ),
};
