/** A view below the canvas: a component that gets the lab, loaded when its tab is first opened. */
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
