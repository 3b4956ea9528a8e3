/**
 * The views below the canvas. A view is a folder of page/src with a component that gets the lab; it is loaded when its tab is opened first.
 * To add one: write the component, and add a line here (docs/page.md).
 */
import type { ComponentType } from "preact";
import type { Lab } from "../lab/lab.ts";

export interface ViewProps {
  readonly lab: Lab;
}

export interface DockView {
  readonly id: string;
  readonly title: string;
  readonly load: () => Promise<ComponentType<ViewProps>>;
}

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
