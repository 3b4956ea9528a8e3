/** Opens the context menu: by the right button, by a long press of a finger, or by the keyboard's menu key. */
import type { Core, EventObject } from "cytoscape";
import { drawingAt } from "../drawings/drag-drawings.ts";
import type { Lab } from "../lab/lab.ts";
import { contextMenu } from "../viewport/tools.ts";

/** What was pressed is selected, unless it belongs to the selection. */
function choose(lab: Lab, id: string | undefined): void {
  if (id === undefined) lab.selection.value = new Set();
  else if (!lab.selection.peek().has(id)) lab.selection.value = new Set([id]);
}

/** @returns a function that removes the listeners. */
export function openMenus(graph: Core, lab: Lab): () => void {
  const container = graph.container()!;
  const open = ({ target, position, renderedPosition: { x, y } }: EventObject) => {
    choose(lab, target === graph ? drawingAt(graph, lab, position)?.drawing_id : target.id());
    const { left, top } = container.getBoundingClientRect();
    contextMenu.value = { x: left + x, y: top + y };
  };
  graph.on("cxttap", open);
  graph.on("taphold", (event) => {
    if (event.originalEvent?.type.startsWith("touch")) open(event);
  });
  const keep = (event: Event) => event.preventDefault();
  container.addEventListener("contextmenu", keep);
  return () => container.removeEventListener("contextmenu", keep);
}
