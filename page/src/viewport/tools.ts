/** What the pointer does on the canvas, and what other parts of the page may do with the canvas. */
import { signal } from "@preact/signals";
import type { Bounds, Viewport } from "./bounds.ts";

/** True while dragging from a device draws a link. */
export const isConnecting = signal(false);

/** The device at which the drawing of a cable begins, if it is not to be clicked first. */
export const cableFrom = signal<string | null>(null);

/** A cable that was drawn, and waits for the choice of its ports; its place is in pixels of the canvas' window. */
export const newCable = signal<{
  readonly ends: readonly [string, string];
  readonly x: number;
  readonly y: number;
} | null>(null);

/** Where the context menu is open, in pixels of the window; null while it is closed. */
export const contextMenu = signal<{ readonly x: number; readonly y: number } | null>(null);

const NAMES_KEY = "wirelab.port-names";

/** Whether links show the names of their ports. */
export const arePortsNamed = signal(localStorage.getItem(NAMES_KEY) !== "hidden");

export function switchPortNames(): void {
  arePortsNamed.value = !arePortsNamed.value;
  localStorage.setItem(NAMES_KEY, arePortsNamed.value ? "shown" : "hidden");
}

export interface View {
  showAll(): void;
  zoomBy(factor: number): void;
  /** The position on the canvas of a point of the window. */
  positionAt(clientX: number, clientY: number): { x: number; y: number };
  /** A position in the middle of what is shown. */
  middle(): { x: number; y: number };
  /** Moves what is shown, so that the position is in its middle. */
  centreAt(position: { x: number; y: number }): void;
  /** Moves what is shown, by pixels of the window. */
  panBy(x: number, y: number): void;
  /** Moves what is shown, so that the device or link is in its middle, unless it is in sight already. */
  show(id: string): void;
}

/** The canvas that is shown; null before it is loaded. */
export const view = signal<View | null>(null);

/** Where the canvas is in its window; null before it is loaded. */
export const viewport = signal<Viewport | null>(null);

/** The part of the canvas that is shown; null before it is loaded. */
export const extent = signal<Bounds | null>(null);
