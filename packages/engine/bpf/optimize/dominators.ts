/** Finds the blocks and edges that lie on every path from the root to a block or edge. */
import { hangBoth, lowestAbove, TreeNode } from "./ancestry.ts";
import type { FlowEdge, FlowGraph } from "./graph.ts";

/**
 * Inserts each reachable block below its immediate dominator, and each edge below the last edge that is on every path to it.
 * Edges without such an edge are below a root that is not an edge. Requires levels and in-edges. Skips returns: no pass
 * queries them, and thousands of edges lead to them.
 */
export function findDominators(graph: FlowGraph): void {
  const top = new TreeNode();
  const { downwards } = graph;
  for (let at = 0; at < downwards.length; at += 1) {
    const node = downwards[at]!;
    if (node.isReturn) continue;
    let nodeAbove: TreeNode | null = null;
    let edgeAbove: TreeNode | null = null;
    for (let edge = node.firstIn; edge !== null; edge = edge.nextIn) {
      nodeAbove = nodeAbove === null ? edge.from : lowestAbove(nodeAbove, edge.from);
      edgeAbove = edgeAbove === null ? edge : lowestAbove(edgeAbove, edge);
    }
    node.hang(nodeAbove);
    hangBoth(node.onTrue, node.onFalse, edgeAbove ?? top);
  }
}

/** Returns the nearest edge that every path takes before `edge`; null if there is none. */
export function takenBefore(edge: FlowEdge): FlowEdge | null {
  const above = edge.parent!;
  return above.parent === null ? null : (above as FlowEdge);
}
