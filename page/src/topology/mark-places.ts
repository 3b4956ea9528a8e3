/** Where the marks of links are on the canvas: the middle of each link that has any. */
import { effect, signal } from "@preact/signals";
import type { Core, EdgeSingular } from "cytoscape";
import type { Lab } from "../lab/lab.ts";
import { type Mark, marksOf } from "../link/marks.ts";

export interface MarkedLink {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly marks: readonly Mark[];
}

/** The links with marks, and their middles on the canvas. */
export const markedLinks = signal<readonly MarkedLink[]>([]);

/** Keeps `markedLinks` current while links change and devices move. @returns a function that ends it. */
export function placeMarks(graph: Core, lab: Lab): () => void {
  let frame = 0;
  const place = () => {
    frame = 0;
    if (graph.destroyed()) return;
    const impaired = lab.impairments.peek();
    const traffic = lab.traffic.peek();
    const marked: MarkedLink[] = [];
    for (const link of lab.links.peek().values()) {
      const id = link.link_id;
      const marks = marksOf(link, impaired.get(id), traffic.get(id)?.recent);
      if (marks.length === 0 || !graph.hasElementWithId(id)) continue;
      const { x, y } = (graph.getElementById(id) as unknown as EdgeSingular).midpoint();
      if (Number.isFinite(x) && Number.isFinite(y)) marked.push({ id, x, y, marks });
    }
    if (marked.length > 0 || markedLinks.peek().length > 0) markedLinks.value = marked;
  };
  // Once a frame, after the elements of the graph have followed the lab.
  const schedule = () => {
    if (frame === 0) frame = requestAnimationFrame(place);
  };
  graph.on("position", "node", schedule);
  const stop = effect(() => {
    lab.links.value;
    lab.nodes.value;
    lab.impairments.value;
    lab.traffic.value;
    schedule();
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
    markedLinks.value = [];
  };
}
