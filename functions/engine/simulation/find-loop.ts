/** Finds the ring of switches and hubs in which a storm goes round. */

interface Edge {
  readonly a: string;
  readonly b: string;
}

/**
 * @param edges links that carried the storm, both ends at nodes that forward.
 * @returns the nodes of one ring in order, or undefined when the links form none. Two links between the same two nodes are
 *   a ring of two.
 */
export function findLoop(edges: readonly Edge[]): string[] | undefined {
  const neighbours = new Map<string, { node: string; edge: number }[]>();
  for (const [edge, { a, b }] of edges.entries()) {
    neighbours.set(a, [...(neighbours.get(a) ?? []), { node: b, edge }]);
    neighbours.set(b, [...(neighbours.get(b) ?? []), { node: a, edge }]);
  }
  const seen = new Set<string>();
  for (const start of neighbours.keys()) {
    const ring = seen.has(start) ? undefined : searchFrom(start, neighbours, seen);
    if (ring) return ring;
  }
  return undefined;
}

/** Depth first, with the path so far: an edge back to a node of the path closes a ring. */
function searchFrom(
  start: string,
  neighbours: ReadonlyMap<string, readonly { node: string; edge: number }[]>,
  seen: Set<string>,
): string[] | undefined {
  const path: { node: string; edge: number; next: number }[] = [{ node: start, edge: -1, next: 0 }];
  seen.add(start);
  while (path.length > 0) {
    const top = path.at(-1)!;
    const step = neighbours.get(top.node)![top.next++];
    if (step === undefined) path.pop();
    else if (step.edge !== top.edge) {
      const at = path.findIndex(({ node }) => node === step.node);
      if (at >= 0) return path.slice(at).map(({ node }) => node);
      if (!seen.has(step.node)) {
        seen.add(step.node);
        path.push({ node: step.node, edge: step.edge, next: 0 });
      }
    }
  }
  return undefined;
}
