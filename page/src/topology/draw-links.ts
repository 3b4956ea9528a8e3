/** Draws a link by dragging from one device to another. */
import { effect } from "@preact/signals";
import type { Core, NodeSingular } from "cytoscape";
import { connect } from "../edit/connect.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { isConnecting } from "./tools.ts";

/** @returns a function that removes the listeners. */
export function drawLinks(graph: Core, lab: Lab): () => void {
  let from: NodeSingular | null = null;
  const targetAt = (position: { x: number; y: number }): NodeSingular | undefined =>
    graph
      .nodes()
      .not(".ghost")
      .filter((node) => {
        const { x1, x2, y1, y2 } = node.boundingBox({ includeLabels: true });
        return position.x >= x1 && position.x <= x2 && position.y >= y1 && position.y <= y2;
      })
      .filter((node) => node.id() !== from?.id())[0];
  const end = () => {
    from = null;
    graph.elements(".ghost").remove();
    graph.nodes(".target").removeClass("target");
  };
  graph.on("tapstart", "node", ({ target, position }) => {
    if (!isConnecting.value) return;
    from = target;
    graph.add({
      group: "nodes",
      data: { id: "ghost", width: 1, height: 1 },
      position: { ...position },
      classes: "ghost",
      selectable: false,
    });
    graph.add({
      group: "edges",
      data: { id: "ghost-edge", source: target.id(), target: "ghost" },
      classes: "ghost",
    });
  });
  graph.on("tapdrag", ({ position }) => {
    if (from === null) return;
    graph.getElementById("ghost").position(position);
    graph.nodes(".target").removeClass("target");
    targetAt(position)?.addClass("target");
  });
  graph.on("tapend", ({ position }) => {
    if (from === null) return;
    const [a, b] = [from.id(), targetAt(position)?.id()];
    end();
    if (b !== undefined) attempt(() => connect(lab, a, b));
  });
  return effect(() => {
    const canMove = !isConnecting.value;
    graph.autoungrabify(!canMove);
    if (canMove) end();
  });
}
