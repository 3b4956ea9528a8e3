/** Shows a lab as a graph, which follows the lab, and makes changes of the lab from what the pointer does. */
import { effect } from "@preact/signals";
import cytoscape, { type Core, type NodeSingular } from "cytoscape";
import { isTyped, openConsole } from "../consoles/open-consoles.ts";
import { dragDrawings } from "../drawings/drag-drawings.ts";
import { boxAround } from "../drawings/place.ts";
import { shapeOf } from "../drawings/shape.ts";
import { moveNodes } from "../edit/move.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { pictureOf } from "../ui/symbols.ts";
import { isDark } from "../ui/theme.tsx";
import { boundsOf, contains, FIT, fitBounds } from "../viewport/bounds.ts";
import { arePortsNamed, extent, isConnecting, view, viewport } from "../viewport/tools.ts";
import { drawLinks } from "./draw-links.ts";
import { cornerOf } from "./elements.ts";
import { graphStyle } from "./graph-style.ts";
import { keepPortNames } from "./keep-port-names.ts";
import { followPointedLink } from "./link-tip.tsx";
import { placeMarks } from "./mark-places.ts";
import { openMenus } from "./open-menu.ts";
import { showElements } from "./shown-elements.ts";

/** @returns a function that removes the graph. */
export function showGraph(container: HTMLElement, lab: Lab): () => void {
  const graph = cytoscape({
    container,
    style: graphStyle(isDark.peek(), arePortsNamed.peek()),
    minZoom: FIT.leastZoom,
    maxZoom: 4,
    boxSelectionEnabled: true,
    hideEdgesOnViewport: lab.links.value.size > 3000,
    textureOnViewport: false,
    pixelRatio: "auto",
  });
  const positionAt = (clientX: number, clientY: number) => {
    const { left, top } = container.getBoundingClientRect();
    return toPosition(graph, clientX - left, clientY - top);
  };
  const stops = [
    showElements(graph, lab),
    placeMarks(graph, lab),
    effect(() => select(graph, lab)),
    keepPortNames(graph),
    followStyle(graph),
    drawLinks(graph, lab),
    followPointedLink(graph),
    dragDrawings(graph, lab, positionAt),
    openMenus(graph, lab),
  ];
  followPointer(graph, lab);
  const { showWhole, stop: stopFitting } = keepFitted(graph, lab);
  void markDrawn(graph, lab);
  view.value = {
    showAll: showWhole,
    zoomBy: (factor) =>
      graph.zoom({
        level: graph.zoom() * factor,
        renderedPosition: { x: container.clientWidth / 2, y: container.clientHeight / 2 },
      }),
    positionAt,
    middle: () => toPosition(graph, container.clientWidth / 2, container.clientHeight / 2),
    centreAt: ({ x, y }) =>
      graph.pan({ x: graph.width() / 2 - x * graph.zoom(), y: graph.height() / 2 - y * graph.zoom() }),
    panBy: (x, y) => void graph.panBy({ x, y }),
    show(id) {
      const eles = graph.getElementById(id);
      if (eles.nonempty() && !contains(graph.extent(), eles.boundingBox()))
        graph.animate({ center: { eles }, duration: 150 });
    },
  };
  followViewport(graph);
  return () => {
    view.value = null;
    extent.value = null;
    viewport.value = null;
    for (const stop of [...stops, stopFitting]) stop();
    graph.destroy();
  };
}

function followStyle(graph: Core): () => void {
  let isFirst = true;
  return effect(() => {
    const [isNowDark, isNamed] = [isDark.value, arePortsNamed.value];
    if (!isFirst) graph.style(graphStyle(isNowDark, isNamed));
    isFirst = false;
  });
}

/** Notes in the browser's timeline when all nodes are shown with their pictures, and reads what can come after that. */
async function markDrawn(graph: Core, lab: Lab): Promise<void> {
  const symbols = new Set([...lab.nodes.peek().values()].map(({ symbol }) => symbol));
  await Promise.all([...symbols].map(pictureOf));
  if (graph.destroyed()) return;
  graph.one("render", () => {
    performance.mark("topology drawn");
    void lab.readConditions();
  });
}

function followViewport(graph: Core): void {
  let frame = 0;
  const move = () => {
    viewport.value = { zoom: graph.zoom(), pan: { ...graph.pan() } };
  };
  const update = () => {
    frame = 0;
    if (!graph.destroyed()) extent.value = graph.extent();
  };
  graph.on("viewport resize", () => {
    move();
    if (frame === 0) frame = requestAnimationFrame(update);
  });
  move();
  update();
}

function toPosition(graph: Core, x: number, y: number) {
  const pan = graph.pan();
  const zoom = graph.zoom();
  return { x: (x - pan.x) / zoom, y: (y - pan.y) / zoom };
}

function fitAll(graph: Core, lab: Lab): void {
  const window = { width: graph.width(), height: graph.height() };
  const drawings = [...lab.drawings.peek().values()].map((drawing) =>
    boxAround({ ...drawing, ...shapeOf(drawing) }),
  );
  graph.viewport(fitBounds(boundsOf([...lab.nodes.peek().values(), ...drawings]), window, FIT));
}

/**
 * Shows the whole lab, and again when its window gets another size, unless the user has moved or zoomed it since.
 */
function keepFitted(graph: Core, lab: Lab) {
  let fitted = { zoom: 0, x: 0, y: 0 };
  const shown = () => ({ zoom: graph.zoom(), ...graph.pan() });
  const showWhole = () => {
    fitAll(graph, lab);
    fitted = shown();
  };
  const fitAgain = () => {
    const { zoom, x, y } = shown();
    if (zoom === fitted.zoom && x === fitted.x && y === fitted.y) showWhole();
  };
  graph.on("resize", fitAgain);
  showWhole();
  return {
    showWhole,
    // The drawings are read after the devices.
    stop: lab.isWhole.subscribe((isNow) => isNow && fitAgain()),
  };
}

function select(graph: Core, lab: Lab): void {
  const chosen = lab.selection.value;
  graph.batch(() => {
    for (const shown of graph.elements(":selected")) if (!chosen.has(shown.id())) shown.unselect();
    for (const id of chosen) graph.getElementById(id).select();
  });
}

/** The graph takes two fast clicks on two devices for a double-click on the second one. */
function followDoubleClicks(graph: Core, lab: Lab): void {
  let taps: readonly string[] = [];
  graph.on("tap", ({ target }) => {
    taps = [...taps.slice(-1), target === graph ? "" : target.id()];
  });
  graph.on("dbltap", "node", ({ target }) => {
    const node = lab.nodes.peek().get(target.id());
    const isOnOne = taps.every((id) => id === target.id());
    if (!isConnecting.peek() && isOnOne && node && isTyped(node)) openConsole(node.node_id);
  });
}

function followPointer(graph: Core, lab: Lab): void {
  let isQueued = false;
  graph.on("select unselect", () => {
    if (isQueued) return;
    isQueued = true;
    // One gesture selects and unselects several elements.
    queueMicrotask(() => {
      isQueued = false;
      if (graph.destroyed()) return;
      const chosen = new Set(graph.elements(":selected").map((shown) => shown.id()));
      const before = [...lab.selection.peek()].filter((id) => !lab.drawings.peek().has(id));
      if (chosen.symmetricDifference(new Set(before)).size > 0) lab.selection.value = chosen;
    });
  });
  // The graph has no drawings, so it does not unselect them.
  graph.on("tap", ({ target }) => {
    if (target === graph && lab.selection.peek().size > 0) lab.selection.value = new Set();
  });
  followDoubleClicks(graph, lab);
  graph.on("free", "node", () => {
    const moved = graph.nodes().filter((shown) => {
      const node = lab.nodes.peek().get(shown.id());
      if (node === undefined) return false;
      const { x, y } = cornerOf(node, shown.position());
      return x !== node.x || y !== node.y;
    });
    if (moved.empty()) return;
    const places = new Map(
      moved
        .toArray()
        .map((shown) => [
          shown.id(),
          cornerOf(lab.nodes.peek().get(shown.id())!, (shown as NodeSingular).position()),
        ]),
    );
    attempt(() => moveNodes(lab, places));
  });
}
