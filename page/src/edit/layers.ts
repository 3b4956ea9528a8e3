/** Places boxes in layers, so that few lines between them cross. */
import { Graph, layout } from "@dagrejs/dagre";

/** The space between boxes, in pixels of the canvas: room for a name and the ports of a link. */
const BETWEEN = 70;
const BETWEEN_LAYERS = 130;

export interface Box {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/**
 * @param lines pairs of ids, the upper box first.
 * @returns the upper left corner of each box.
 */
export function placeInLayers(
  boxes: readonly Box[],
  lines: readonly (readonly [string, string])[],
): Map<string, { x: number; y: number }> {
  const graph = new Graph();
  graph.setGraph({ nodesep: BETWEEN, ranksep: BETWEEN_LAYERS });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const [upper, lower] of lines)
    if (graph.hasNode(upper) && graph.hasNode(lower)) graph.setEdge(upper, lower);
  layout(graph);
  return new Map(
    boxes.map(({ id, width, height }) => {
      const { x, y } = graph.node(id) as { x: number; y: number };
      return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }];
    }),
  );
}
