/** The rectangle that the parts of a lab take on the canvas. Pure. */

export interface Bounds {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @returns null without a box. */
export function boundsOf(boxes: Iterable<Box>): Bounds | null {
  let bounds: Bounds | null = null;
  for (const { x, y, width, height } of boxes) {
    const { x1, y1, x2, y2 }: Bounds = bounds ?? { x1: x, y1: y, x2: x, y2: y };
    bounds = {
      x1: Math.min(x1, x),
      y1: Math.min(y1, y),
      x2: Math.max(x2, x + width),
      y2: Math.max(y2, y + height),
    };
  }
  return bounds;
}

export interface Viewport {
  readonly zoom: number;
  readonly pan: { readonly x: number; readonly y: number };
}

export interface FitLimits {
  /** The space around the bounds, in pixels of the window. */
  readonly padding: number;
  readonly leastZoom: number;
  readonly mostZoom: number;
}

/** How the canvas shows a whole lab: a small one is not drawn much larger than it is. */
export const FIT: FitLimits = { padding: 60, leastZoom: 0.05, mostZoom: 1.3 };

/** Whether each point of the inner rectangle is one of the outer rectangle. */
export const contains = (outer: Bounds, inner: Bounds): boolean =>
  outer.x1 <= inner.x1 && outer.y1 <= inner.y1 && outer.x2 >= inner.x2 && outer.y2 >= inner.y2;

/** Shows all of the bounds in the middle of a window, enlarged at most `mostZoom` times. */
export function fitBounds(
  bounds: Bounds | null,
  window: { readonly width: number; readonly height: number },
  { padding, leastZoom, mostZoom }: FitLimits,
): Viewport {
  if (bounds === null) return { zoom: 1, pan: { x: window.width / 2, y: window.height / 2 } };
  const width = Math.max(1, bounds.x2 - bounds.x1);
  const height = Math.max(1, bounds.y2 - bounds.y1);
  const fitting = Math.min((window.width - 2 * padding) / width, (window.height - 2 * padding) / height);
  const zoom = Math.max(leastZoom, Math.min(mostZoom, fitting));
  const pan = {
    x: window.width / 2 - (zoom * (bounds.x1 + bounds.x2)) / 2,
    y: window.height / 2 - (zoom * (bounds.y1 + bounds.y2)) / 2,
  };
  return { zoom, pan };
}
