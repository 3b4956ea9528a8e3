/**
 * The views below the canvas. A view is a folder of page/src with a component that gets the lab.
 * To add one: write the component, and add a line here (page/README.md).
 */
import type { DockView } from "../dock/view.ts";

export const VIEWS: readonly DockView[] = [
  {
    id: "consoles",
    title: "Consoles",
    load: async () => (await import("../consoles/consoles.tsx")).Consoles,
  },
  {
    id: "packets",
    title: "Packets",
    load: async () => (await import("../packets/packets-view.tsx")).Packets,
  },
  {
    id: "tests",
    title: "Tests",
    load: async () => (await import("../tests/tests-view.tsx")).Tests,
  },
];
