/** The keys of the lab's view. docs/page.md lists them. */
import { useEffect } from "preact/hooks";
import { openConsole } from "../consoles/open-consoles.ts";
import { align, layOut } from "../edit/arrange.ts";
import { copySelected, paste } from "../edit/clipboard.ts";
import { moveDrawings } from "../edit/drawings.ts";
import { moveNodes } from "../edit/move.ts";
import { removeSelected } from "../edit/remove.ts";
import { switchNodes } from "../edit/switch.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { isConnecting, view } from "../viewport/tools.ts";

/** Elements that use keys themselves. */
const OWN_KEYS = "input, select, textarea, .terminal, [contenteditable], .dock .pane";
const STEP = 10;
/** How many steps of a device one step of the canvas is. */
const PAN_STEPS = 6;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

const chosenNodes = (lab: Lab) => [...lab.selection.value].flatMap((id) => lab.nodes.value.get(id) ?? []);

/** Moves the selected devices; without them, what the canvas shows. Lists that have the focus scroll. */
function arrowAction(lab: Lab, target: Element, [dx, dy]: readonly [number, number]) {
  const places = chosenNodes(lab).map(({ node_id, x, y }) => [node_id, { x: x + dx, y: y + dy }] as const);
  const drawings = [...lab.selection.value].filter((id) => lab.drawings.value.has(id));
  if (places.length + drawings.length > 0)
    return async () => {
      if (places.length > 0) await moveNodes(lab, new Map(places));
      await moveDrawings(lab, drawings, dx, dy);
    };
  if (target !== document.body && !target.closest(".canvas")) return undefined;
  return () => view.value?.panBy(-dx * PAN_STEPS, -dy * PAN_STEPS);
}

function openConsoles(lab: Lab): void {
  for (const { node_id } of chosenNodes(lab)) openConsole(node_id);
}

/** What a key does; undefined for a key without a meaning. */
function actionOf(lab: Lab, event: KeyboardEvent): (() => unknown) | undefined {
  const { key, shiftKey } = event;
  if (event.ctrlKey || event.metaKey) {
    const name = key.toLowerCase();
    if (name === "z") return () => (shiftKey ? lab.history.redo() : lab.history.undo());
    if (name === "y") return () => lab.history.redo();
    if (name === "a")
      return () => {
        lab.selection.value = new Set([
          ...lab.nodes.value.keys(),
          ...lab.links.value.keys(),
          ...lab.drawings.value.keys(),
        ]);
      };
    if (name === "c") return () => copySelected(lab);
    if (name === "v") return () => paste(lab);
    return undefined;
  }
  if (event.altKey) return undefined;
  const arrow = ARROWS[key];
  if (arrow !== undefined) return arrowAction(lab, event.target as Element, arrow);
  const isOnButton = (event.target as Element).closest("button, a") !== null;
  switch (key) {
    case "Delete":
    case "Backspace":
      return () => removeSelected(lab);
    case "Enter":
      return isOnButton ? undefined : () => openConsoles(lab);
    case "Escape":
      return () => {
        isConnecting.value = false;
        lab.selection.value = new Set();
      };
    case "c":
      return () => {
        isConnecting.value = !isConnecting.value;
      };
    case "s":
      return () => switchNodes(lab, chosenNodes(lab));
    case "l":
      return () => layOut(lab);
    case "r":
      return () => align(lab, "row");
    case "k":
      return () => align(lab, "column");
    case "0":
      return () => view.value?.showAll();
    case "+":
      return () => view.value?.zoomBy(1.25);
    case "-":
      return () => view.value?.zoomBy(0.8);
    default:
      return undefined;
  }
}

export function useKeys(lab: Lab): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || (event.target as Element).closest?.(OWN_KEYS)) return;
      const action = actionOf(lab, event);
      if (action === undefined) return;
      event.preventDefault();
      attempt(async () => lab.history.follow(action()));
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [lab]);
}
