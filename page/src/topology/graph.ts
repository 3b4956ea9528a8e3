/** Shows a lab as a graph, which follows the lab, and makes changes of the lab from what the pointer does. */
import { effect } from "@preact/signals";
import cytoscape, { type Core, type NodeSingular } from "cytoscape";
import { openConsole } from "../consoles/open-consoles.ts";
import { moveNodes } from "../edit/move.ts";
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { isDark } from "../ui/theme.tsx";
import { drawLinks } from "./draw-links.ts";
import { centreOf, cornerOf, EMPTY, imagesOf, linkElement, nodeElement } from "./elements.ts";
import { graphStyle } from "./graph-style.ts";
import { pictureOf } from "./symbols.ts";
import { view } from "./tools.ts";

const FIT_PADDING = 60;
/** A small lab is not drawn larger than this. */
const FIT_ZOOM = 1.3;

/** @returns a function that removes the graph. */
export function showGraph(container: HTMLElement, lab: Lab): () => void {
  const graph = cytoscape({
    container,
    style: graphStyle(isDark.value),
    minZoom: 0.05,
    maxZoom: 4,
    boxSelectionEnabled: true,
    hideEdgesOnViewport: lab.links.value.size > 3000,
    textureOnViewport: false,
    pixelRatio: "auto",
  });
  const stops = [
    effect(() => updateNodes(graph, lab)),
    effect(() => updateLinks(graph, lab)),
    effect(() => select(graph, lab)),
    effect(() => {
      graph.style(graphStyle(isDark.value));
    }),
    drawLinks(graph, lab),
  ];
  followPointer(graph, lab);
  fitAll(graph);
  view.value = {
    showAll: () => fitAll(graph),
    zoomBy: (factor) =>
      graph.zoom({
        level: graph.zoom() * factor,
        renderedPosition: { x: container.clientWidth / 2, y: container.clientHeight / 2 },
      }),
    positionAt(clientX, clientY) {
      const { left, top } = container.getBoundingClientRect();
      return toPosition(graph, clientX - left, clientY - top);
    },
    middle: () => toPosition(graph, container.clientWidth / 2, container.clientHeight / 2),
    show: (id) => void graph.animate({ center: { eles: graph.getElementById(id) }, duration: 150 }),
  };
  return () => {
    view.value = null;
    for (const stop of stops) stop();
    graph.destroy();
  };
}

function toPosition(graph: Core, x: number, y: number) {
  const pan = graph.pan();
  const zoom = graph.zoom();
  return { x: (x - pan.x) / zoom, y: (y - pan.y) / zoom };
}

function fitAll(graph: Core): void {
  if (graph.nodes().empty()) {
    graph.viewport({ zoom: 1, pan: { x: graph.width() / 2, y: graph.height() / 2 } });
    return;
  }
  graph.fit(undefined, FIT_PADDING);
  if (graph.zoom() <= FIT_ZOOM) return;
  graph.zoom(FIT_ZOOM);
  graph.center();
}

function updateNodes(graph: Core, lab: Lab): void {
  const nodes = lab.nodes.value;
  graph.batch(() => {
    graph
      .nodes()
      .not(".ghost")
      .filter((shown) => !nodes.has(shown.id()))
      .remove();
    for (const node of nodes.values()) {
      const shown = graph.getElementById(node.node_id);
      const element = nodeElement(node);
      if (shown.empty()) graph.add(element);
      else {
        const { name, width, height } = element.data as Record<string, unknown>;
        shown.data({ name, width, height, images: imagesOf(node, shown.scratch("picture") ?? EMPTY) });
        shown.classes(element.classes as string);
        const centre = centreOf(node);
        if (!shown.grabbed()) shown.position(centre);
      }
      if (graph.getElementById(node.node_id).scratch("symbol") !== node.symbol)
        loadPicture(graph, lab, node.node_id, node.symbol);
    }
  });
}

function loadPicture(graph: Core, lab: Lab, id: string, symbol: string): void {
  graph.getElementById(id).scratch("symbol", symbol);
  pictureOf(symbol).then((picture) => {
    const node = lab.nodes.peek().get(id);
    if (picture === "" || node === undefined || graph.destroyed()) return;
    graph.getElementById(id).scratch("picture", picture).data("images", imagesOf(node, picture));
  });
}

function updateLinks(graph: Core, lab: Lab): void {
  const links = lab.links.value;
  const nodes = lab.nodes.value;
  graph.batch(() => {
    graph
      .edges()
      .not(".ghost")
      .filter((shown) => !links.has(shown.id()))
      .remove();
    for (const link of links.values()) {
      const element = linkElement(link, nodes);
      const shown = graph.getElementById(link.link_id);
      if (element === null) shown.remove();
      else if (shown.empty()) graph.add(element);
      else {
        const { from, to, marks } = element.data as Record<string, unknown>;
        shown.data({ from, to, marks });
        shown.classes(element.classes as string);
      }
    }
  });
}

function select(graph: Core, lab: Lab): void {
  const chosen = lab.selection.value;
  graph.batch(() => {
    for (const shown of graph.elements(":selected")) if (!chosen.has(shown.id())) shown.unselect();
    for (const id of chosen) graph.getElementById(id).select();
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
      if (chosen.symmetricDifference(lab.selection.peek()).size > 0) lab.selection.value = chosen;
    });
  });
  graph.on("dbltap", "node", ({ target }) => openConsole(target.id()));
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
