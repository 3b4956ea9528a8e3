/** Keeps the names of ports at their ends while devices move. */
import type { Core, EdgeSingular, NodeSingular } from "cytoscape";
import { placePortNames } from "./port-names.ts";

const boxOf = (node: NodeSingular) => {
  const { width, height } = node.data() as { readonly width: number; readonly height: number };
  const { x, y } = node.position();
  return { x: x - width / 2, y: y - height / 2, width, height };
};

function place(edge: EdgeSingular): void {
  const { ports, offset, from } = edge.data();
  if (ports === undefined) return;
  const now = placePortNames(boxOf(edge.source()), boxOf(edge.target()), ports);
  if (now.offset !== offset || now.from !== from) edge.data(now);
}

/** @returns a function that ends it. */
export function keepPortNames(graph: Core): () => void {
  let frame = 0;
  let moved = graph.collection();
  const placeAll = () => {
    frame = 0;
    if (graph.destroyed()) return;
    const edges = moved.connectedEdges();
    moved = graph.collection();
    graph.batch(() => {
      for (const edge of edges.toArray()) place(edge);
    });
  };
  graph.on("position", "node", ({ target }) => {
    moved.merge(target);
    if (frame === 0) frame = requestAnimationFrame(placeAll);
  });
  return () => cancelAnimationFrame(frame);
}
