/** Finds the blocks and edges that lie on every path from the root to a block or edge. */
import { hangBoth, lowestAbove, TreeNode } from "./ancestry.ts";
import type { FlowEdge, FlowGraph } from "./graph.ts";

/**
 * Hangs each reachable block below its immediate dominator, and each edge below the last edge on every path to it; edges
 * without one hang below a top that is not an edge. Needs levels and in-edges. Skips returns: no pass queries them, and
 * thousands of edges lead there.
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

/** The next edge that is certainly taken before `edge` is; null if there is none. */
export function takenBefore(edge: FlowEdge): FlowEdge | null {
  const above = edge.parent!;
  return above.parent === null ? null : (above as FlowEdge);
}
