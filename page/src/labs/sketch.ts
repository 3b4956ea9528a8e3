/** A lab as a small picture: places of devices, and the lines between them. */

export interface Sketch {
  readonly nodes: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  /** The ids of the two ends. */
  readonly links: readonly (readonly [string, string])[];
}

export const WIDTH = 160;
export const HEIGHT = 96;
const MARGIN = 12;
/** Keeps a lab of two devices from filling the picture. */
const MOST_SCALE = 0.4;

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DrawnSketch {
  /** Whether it has several links, as switches and routers have. */
  readonly devices: readonly (Point & { readonly isJoint: boolean })[];
  readonly lines: readonly (readonly [Point, Point])[];
}

/** Fits the lab into a picture of WIDTH by HEIGHT. */
export function drawSketch({ nodes, links }: Sketch): DrawnSketch {
  const [left, right] = rangeOf(nodes.map(({ x }) => x));
  const [top, bottom] = rangeOf(nodes.map(({ y }) => y));
  const scale = Math.min(
    MOST_SCALE,
    (WIDTH - 2 * MARGIN) / (right - left),
    (HEIGHT - 2 * MARGIN) / (bottom - top),
  );
  const places = new Map(
    nodes.map(({ id, x, y }): [string, Point] => [
      id,
      {
        x: rounded(WIDTH / 2 + (x - (left + right) / 2) * scale),
        y: rounded(HEIGHT / 2 + (y - (top + bottom) / 2) * scale),
      },
    ]),
  );
  const degrees = new Map<string, number>();
  for (const id of links.flat()) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  return {
    devices: nodes.map(({ id }) => ({ ...places.get(id)!, isJoint: (degrees.get(id) ?? 0) > 1 })),
    lines: links.flatMap(([from, to]) => {
      const [a, b] = [places.get(from), places.get(to)];
      return a && b ? [[a, b] as const] : [];
    }),
  };
}

/** An empty lab has no range. */
function rangeOf(values: readonly number[]): readonly [number, number] {
  return values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
