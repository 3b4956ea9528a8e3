/** Which blocks, and which edges, every way from the root to a place goes through. */
import { lowestAbove, TreeNode } from "./ancestry.ts";
import type { FlowEdge, FlowGraph } from "./graph.ts";

/**
 * Hangs each reachable block below its immediate dominator, and each edge below the last edge that every way to it takes;
 * edges with none hang below a top that is no edge. Needs levels and in-edges.
 */
export function findDominators(graph: FlowGraph): void {
  const top = new TreeNode();
  for (const node of graph.downwards) {
    let nodeAbove: TreeNode | null = null;
    let edgeAbove: TreeNode | null = null;
    for (let edge = node.firstIn; edge !== null; edge = edge.nextIn) {
      nodeAbove = nodeAbove === null ? edge.from : lowestAbove(nodeAbove, edge.from);
      edgeAbove = edgeAbove === null ? edge : lowestAbove(edgeAbove, edge);
    }
    node.hang(nodeAbove);
    node.onTrue.hang(edgeAbove ?? top);
    node.onFalse.hang(edgeAbove ?? top);
  }
}

/** The next edge that is certainly taken before `edge` is; null if there is none. */
export function takenBefore(edge: FlowEdge): FlowEdge | null {
  const above = edge.parent!;
  return above.parent === null ? null : (above as FlowEdge);
}
