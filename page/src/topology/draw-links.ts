/** Draws a link: by dragging from one device to another, or by a click on each. */
import { effect } from "@preact/signals";
import type { Core, NodeSingular } from "cytoscape";
import { connect, freePorts } from "../edit/connect.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { cableFrom, isConnecting, newCable } from "../viewport/tools.ts";
import { EMPTY } from "./elements.ts";

/** The space for the choice of ports. */
const CHOICE = { width: 220, height: 190 };

interface Position {
  readonly x: number;
  readonly y: number;
}

/** @returns a function that removes the listeners. */
export function drawLinks(graph: Core, lab: Lab): () => void {
  let from: NodeSingular | null = null;
  /** Whether the first device was clicked, so that the cable follows the pointer. */
  let isClicked = false;
  /** The device on which the pointer went down after that click. */
  let pressed: NodeSingular | null = null;
  const nodesAt = (position: Position) =>
    graph
      .nodes()
      .not(".ghost")
      .filter((node) => {
        const { x1, x2, y1, y2 } = node.boundingBox({ includeLabels: true });
        return position.x >= x1 && position.x <= x2 && position.y >= y1 && position.y <= y2;
      });
  const targetAt = (position: Position): NodeSingular | undefined =>
    nodesAt(position).filter((node) => node.id() !== from?.id())[0];
  const end = () => {
    from = null;
    isClicked = false;
    pressed = null;
    graph.elements(".ghost").remove();
    graph.nodes(".target").removeClass("target");
  };
  const begin = (target: NodeSingular, position: Position) => {
    from = target;
    graph.add({
      group: "nodes",
      data: { id: "ghost", name: "", width: 1, height: 1, images: [EMPTY, EMPTY] },
      position: { ...position },
      classes: "ghost",
      selectable: false,
    });
    graph.add({
      group: "edges",
      data: { id: "ghost-edge", source: target.id(), target: "ghost" },
      classes: "ghost",
    });
  };
  graph.on("tapstart", "node", ({ target, position }) => {
    if (!isConnecting.value) return;
    if (from === null) begin(target, position);
    else pressed = target;
  });
  graph.on("tapdrag mousemove", ({ position }) => {
    if (from === null) return;
    graph.getElementById("ghost").position(position);
    graph.nodes(".target").removeClass("target");
    targetAt(position)?.addClass("target");
  });
  const freeOf = (id: string): number => {
    const node = lab.nodes.peek().get(id);
    return node === undefined ? 0 : freePorts(lab, node).length;
  };
  graph.on("tapend", ({ position, renderedPosition }) => {
    if (from === null) return;
    // A drag between two other devices takes the place of the click.
    if (pressed !== null && nodesAt(position).not(pressed).nonempty()) [from, isClicked] = [pressed, false];
    const [a, b] = [from.id(), targetAt(position)?.id()];
    const isFirstClick = b === undefined && !isClicked && nodesAt(position).contains(from);
    if (isFirstClick) {
      isClicked = true;
      return;
    }
    const isSecondClick = isClicked;
    end();
    if (b === undefined) return;
    if (isSecondClick) return attempt(() => connect(lab, a, b));
    const free = [a, b].map(freeOf);
    if (free.includes(0) || free.every((count) => count === 1)) attempt(() => connect(lab, a, b));
    else
      newCable.value = {
        ends: [a, b],
        x: Math.max(0, Math.min(renderedPosition.x, graph.width() - CHOICE.width)),
        y: Math.max(0, Math.min(renderedPosition.y, graph.height() - CHOICE.height)),
      };
  });
  return effect(() => {
    const { value: mode } = isConnecting;
    graph.autoungrabify(mode);
    end();
    const first = graph.getElementById(cableFrom.peek() ?? "");
    cableFrom.value = null;
    if (!mode || !first.isNode()) return;
    begin(first, first.position());
    isClicked = true;
  });
}
