/** How the graph looks, in light and in dark colours. */
import type { StylesheetJson } from "cytoscape";
import { coloursOf } from "./colours.ts";

export function graphStyle(isDark: boolean, arePortsNamed: boolean): StylesheetJson {
  const { text, halo, line, accent, amber, red } = coloursOf(isDark);
  const label = {
    color: text,
    // As the page has it.
    "font-family": getComputedStyle(document.documentElement).fontFamily,
    "text-outline-color": halo,
    "text-outline-width": 2,
  };
  return [
    {
      selector: "node",
      style: {
        ...label,
        width: "data(width)",
        height: "data(height)",
        shape: "rectangle",
        "background-opacity": 0,
        "background-image": "data(images)",
        "background-fit": ["contain", "none"],
        "background-width": ["100%", "18px"],
        "background-height": ["100%", "18px"],
        "background-position-x": ["50%", "100%"],
        "background-position-y": ["50%", "100%"],
        "background-offset-x": ["0", "6px"],
        "background-offset-y": ["0", "6px"],
        "background-clip": ["none", "none"],
        "background-image-containment": ["inside", "over"],
        "bounds-expansion": 8,
        label: "data(name)",
        "text-wrap": "ellipsis",
        "text-max-width": "150px",
        "font-size": 12,
        "font-weight": 600,
        "text-valign": "bottom",
        "text-margin-y": 6,
        "min-zoomed-font-size": 7,
      },
    } as never,
    { selector: "node.stopped", style: { "background-image-opacity": [0.55, 1] } } as never,
    {
      selector: "edge",
      style: {
        ...label,
        width: 2,
        "line-color": line,
        "curve-style": "straight",
        "source-label": arePortsNamed ? "data(from)" : "",
        "target-label": arePortsNamed ? "data(to)" : "",
        "source-text-offset": "data(offset)",
        "target-text-offset": "data(offset)",
        label: "data(marks)",
        // Beside the names of the ports, which a short link has no room for otherwise.
        "text-margin-y": -17,
        "font-size": 10,
        "min-zoomed-font-size": 8,
        "text-rotation": "none",
      },
    } as never,
    { selector: "edge.parallel", style: { "curve-style": "bezier", "control-point-step-size": 34 } },
    { selector: "edge.filtered, edge.impaired, edge.losing", style: { "line-color": amber, width: 3 } },
    { selector: "edge.capturing", style: { "line-color": red, width: 3 } },
    { selector: "edge.suspended", style: { "line-style": "dashed", "line-color": line, opacity: 0.7 } },
    {
      selector: "node:selected",
      style: {
        "underlay-color": accent,
        "underlay-opacity": 0.22,
        "underlay-padding": 8,
        "underlay-shape": "round-rectangle",
      },
    } as never,
    { selector: "edge:selected", style: { "line-color": accent, width: 4 } },
    {
      selector: "node.target",
      style: { "underlay-color": accent, "underlay-opacity": 0.35, "underlay-padding": 10 },
    } as never,
    {
      selector: "node.ghost",
      style: { width: 1, height: 1, label: "", "background-image-opacity": [0, 0], events: "no" },
    } as never,
    {
      selector: "edge.ghost",
      style: {
        "line-style": "dashed",
        "line-color": accent,
        label: "",
        "source-label": "",
        "target-label": "",
        "source-text-offset": 0,
        "target-text-offset": 0,
        events: "no",
      },
    } as never,
  ];
}
