/** Places devices: in layers, or in a row or column. */
import type { Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { distributed } from "./distributed.ts";
import { moveNodes } from "./move.ts";

/** The selected devices; all without a selection of at least two. */
function chosen({ nodes, selection }: Lab): readonly Node[] {
  const all = [...nodes.value.values()].filter(({ locked }) => !locked);
  const some = all.filter(({ node_id }) => selection.value.has(node_id));
  return some.length > 1 ? some : all;
}

/** Places devices in layers. Their middle stays where it is. */
export async function layOut(lab: Lab): Promise<void> {
  const nodes = chosen(lab);
  if (nodes.length < 2) return;
  const { placeInLayers } = await import("./layers.ts");
  const rank = (id: string): number => lab.nodes.value.get(id)?.ports.length ?? 0;
  const lines = [...lab.links.value.values()].flatMap(({ nodes: [a, b] }) => {
    if (a === undefined || b === undefined) return [];
    // Switches and routers lie above what is connected to them.
    return rank(a.node_id) >= rank(b.node_id)
      ? [[a.node_id, b.node_id] as const]
      : [[b.node_id, a.node_id] as const];
  });
  const boxes = nodes.map(({ node_id: id, width, height }) => ({ id, width, height }));
  const places = placeInLayers(boxes, lines);
  const mean = (all: readonly { x: number; y: number }[], key: "x" | "y") =>
    all.reduce((sum, each) => sum + each[key], 0) / all.length;
  const [dx, dy] = (["x", "y"] as const).map((key) =>
    Math.round(mean(nodes, key) - mean([...places.values()], key)),
  );
  await moveNodes(lab, new Map([...places].map(([id, { x, y }]) => [id, { x: x + dx!, y: y + dy! }])));
}

/** Places the selected devices in a row (one height) or in a column. */
export async function align(lab: Lab, direction: "row" | "column"): Promise<void> {
  const nodes = [...lab.nodes.value.values()].filter(
    ({ node_id, locked }) => lab.selection.value.has(node_id) && !locked,
  );
  if (nodes.length < 2) return;
  const [key, size] = direction === "row" ? (["y", "height"] as const) : (["x", "width"] as const);
  const middle = nodes.reduce((sum, node) => sum + node[key] + node[size] / 2, 0) / nodes.length;
  const places = nodes.map(
    (node) => [node.node_id, { x: node.x, y: node.y, [key]: Math.round(middle - node[size] / 2) }] as const,
  );
  await moveNodes(lab, new Map(places));
}

/** Places the selected devices with the same space between each two, from left to right (a row) or from top to bottom. */
export async function distribute(lab: Lab, direction: "row" | "column"): Promise<void> {
  const nodes = [...lab.nodes.value.values()].filter(
    ({ node_id, locked }) => lab.selection.value.has(node_id) && !locked,
  );
  if (nodes.length < 3) return;
  const [key, size] = direction === "row" ? (["x", "width"] as const) : (["y", "height"] as const);
  const starts = distributed(nodes.map((node) => ({ at: node[key], size: node[size] })));
  const places = nodes.map(
    (node, index) => [node.node_id, { x: node.x, y: node.y, [key]: starts[index]! }] as const,
  );
  await moveNodes(lab, new Map(places));
}
