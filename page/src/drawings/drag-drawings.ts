/** Selects and moves drawings with the pointer, where no device or link is above them. */
import type { Core } from "cytoscape";
import type { Drawing } from "../api/types.ts";
import { moveDrawings } from "../edit/drawings.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { isConnecting } from "../viewport/tools.ts";
import { dragged } from "./drawing-layer.tsx";
import { isOn } from "./place.ts";
import { shapeOf } from "./shape.ts";

/** A press that moves less is a click. */
const LEAST_MOVE = 3;

/** The uppermost drawing that the pointer reaches: none that is locked, or below a device. */
export function drawingAt(graph: Core, lab: Lab, position: Position): Drawing | undefined {
  if (isConnecting.peek() || isOverNode(graph, position)) return undefined;
  return [...lab.drawings.peek().values()]
    .toSorted((a, b) => b.z - a.z)
    .find((drawing) => {
      const shape = shapeOf(drawing);
      const { x, y, rotation } = drawing;
      const { width, height } = shape;
      return !drawing.locked && isOn({ x, y, rotation, width, height }, position, shape.kind === "line");
    });
}

/** @returns a function that removes the listeners. */
export function dragDrawings(graph: Core, lab: Lab, positionAt: (x: number, y: number) => Position) {
  const container = graph.container()!;
  let isOverLink = false;
  graph.on("mouseover mouseout", "edge", ({ type }) => {
    isOverLink = type === "mouseover";
  });
  const press = (event: PointerEvent) => {
    if (event.button !== 0 || event.shiftKey) return;
    const start = positionAt(event.clientX, event.clientY);
    const drawing = isOverLink ? undefined : drawingAt(graph, lab, start);
    if (drawing === undefined) return;
    swallow(container);
    if (!lab.selection.peek().has(drawing.drawing_id))
      lab.selection.value = new Set(
        event.ctrlKey ? [...lab.selection.peek(), drawing.drawing_id] : [drawing.drawing_id],
      );
    (document.activeElement as HTMLElement | null)?.blur();
    follow(container, event, {
      move: ({ clientX, clientY }) => {
        const { x, y } = positionAt(clientX, clientY);
        dragged.value = { x: x - start.x, y: y - start.y };
      },
      end: (last) => {
        const { x, y } = dragged.peek();
        dragged.value = { x: 0, y: 0 };
        const isMoved = Math.hypot(last.clientX - event.clientX, last.clientY - event.clientY) > LEAST_MOVE;
        if (isMoved && last.type === "pointerup")
          attempt(() => moveDrawings(lab, lab.selection.peek(), x, y));
      },
    });
  };
  const edit = ({ clientX, clientY }: MouseEvent) => {
    if (!isOverLink && drawingAt(graph, lab, positionAt(clientX, clientY)) !== undefined)
      document.querySelector<HTMLElement>(".drawing-panel textarea, .drawing-panel input")?.focus();
  };
  container.addEventListener("pointerdown", press, { capture: true });
  container.addEventListener("dblclick", edit);
  return () => {
    container.removeEventListener("pointerdown", press, { capture: true });
    container.removeEventListener("dblclick", edit);
  };
}

interface Position {
  readonly x: number;
  readonly y: number;
}

const isOverNode = (graph: Core, { x, y }: Position): boolean =>
  graph.nodes().some((node) => {
    const box = node.boundingBox({ includeLabels: true });
    return x >= box.x1 && x <= box.x2 && y >= box.y1 && y <= box.y2;
  });

/** Keeps the events of this press from the graph, which would move the map. */
function swallow(container: HTMLElement): void {
  const stop = (event: Event) => event.stopImmediatePropagation();
  const ending = new AbortController();
  for (const name of ["mousedown", "touchstart"])
    container.addEventListener(name, stop, { capture: true, once: true, signal: ending.signal });
  setTimeout(() => ending.abort(), 0);
}

/** Calls `move` for each move of a pressed pointer, and `end` when it is released. */
function follow(
  container: HTMLElement,
  { pointerId }: PointerEvent,
  { move, end }: Readonly<Record<"move" | "end", (event: PointerEvent) => void>>,
): void {
  const ending = new AbortController();
  const { signal } = ending;
  const finish = (event: PointerEvent) => {
    ending.abort();
    end(event);
  };
  container.setPointerCapture(pointerId);
  container.addEventListener("pointermove", move, { signal });
  container.addEventListener("pointerup", finish, { signal });
  container.addEventListener("pointercancel", finish, { signal });
}
