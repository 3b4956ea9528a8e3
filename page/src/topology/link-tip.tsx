/** The link at which the pointer is: its name, its marks, what it has carried, and how much was captured. The list and the panel have the same for keyboards. */
import { signal } from "@preact/signals";
import type { Core } from "cytoscape";
import type { Link } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { linkName } from "../lab/link-name.ts";
import { directionWords } from "../lab/traffic.ts";
import { useCaptureCounts } from "../link/capture-counts.ts";
import { marksOf } from "../link/marks.ts";

/** Its place is in pixels of the canvas' window. */
const pointed = signal<{ readonly id: string; readonly x: number; readonly y: number } | null>(null);

/** The pointer rests for this time before the tip appears. */
const REST_MS = 300;

/** @returns a function that ends it. */
export function followPointedLink(graph: Core): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    clearTimeout(timer);
    pointed.value = null;
  };
  graph.on("mouseover", "edge", ({ target, renderedPosition: { x, y } }) => {
    hide();
    if (!target.hasClass("ghost"))
      timer = setTimeout(() => {
        pointed.value = { id: target.id(), x, y };
      }, REST_MS);
  });
  graph.on("mouseout", "edge", hide);
  graph.on("tapstart viewport", hide);
  // The graph does not report that the pointer has left it.
  const container = graph.container();
  container?.addEventListener("pointerleave", hide);
  return () => {
    container?.removeEventListener("pointerleave", hide);
    hide();
  };
}

export const LinkTip = ({ lab }: { readonly lab: Lab }) => {
  const at = pointed.value;
  const link = at === null ? undefined : lab.links.value.get(at.id);
  if (at === null || link === undefined) return null;
  return (
    <div class="link-tip" role="tooltip" style={{ left: `${at.x}px`, top: `${at.y}px` }}>
      <strong>{linkName(link, lab.nodes.value)}</strong>
      <Details lab={lab} link={link} />
    </div>
  );
};

const Details = ({ lab, link }: { readonly lab: Lab; readonly link: Link }) => {
  const id = link.link_id;
  const traffic = lab.traffic.value.get(id);
  const marks = marksOf(link, lab.impairments.value.get(id), traffic?.recent).map(({ words }) => words);
  const [a = "?", b = "?"] = link.nodes.map((end) => lab.nodes.value.get(end.node_id)?.name);
  const carried = traffic
    ? [directionWords(a, b, traffic.counters.a_to_b), directionWords(b, a, traffic.counters.b_to_a)]
    : [];
  const captured = useCaptureCounts(lab, link);
  return (
    <>
      {marks.length > 0 && <span>{marks.join(" · ")}</span>}
      {carried.map((words) => words !== "" && <span key={words}>{words}</span>)}
      {captured !== "" && <span>{captured}</span>}
    </>
  );
};
