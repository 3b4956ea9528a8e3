/** Where drawings are on the canvas. A drawing turns around its upper left corner. Pure. */
import type { Box } from "../viewport/bounds.ts";

interface Position {
  readonly x: number;
  readonly y: number;
}

/** A drawing's place, its turn in degrees, clockwise, and its size; the width and height of a line may be negative. */
export interface Placed extends Box {
  readonly rotation: number;
}

/** How near to a line the pointer has to be, in pixels of the canvas. */
const NEAR = 6;

/** Whether a position is on the drawing. */
export function isOn(drawing: Placed, position: Position, isLine: boolean): boolean {
  const angle = (-drawing.rotation * Math.PI) / 180;
  const [dx, dy] = [position.x - drawing.x, position.y - drawing.y];
  const x = dx * Math.cos(angle) - dy * Math.sin(angle);
  const y = dx * Math.sin(angle) + dy * Math.cos(angle);
  const { width, height } = drawing;
  if (!isLine) return x >= 0 && y >= 0 && x <= width && y <= height;
  const length = width ** 2 + height ** 2;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, (x * width + y * height) / length));
  return Math.hypot(x - share * width, y - share * height) <= NEAR;
}

/** The box around a turned drawing. */
export function boxAround({ x, y, width, height, rotation }: Placed): Box {
  const angle = (rotation * Math.PI) / 180;
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].map(([dx = 0, dy = 0]) => [
    dx * Math.cos(angle) - dy * Math.sin(angle),
    dx * Math.sin(angle) + dy * Math.cos(angle),
  ]);
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]!)) as [number[], number[]];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: x + left, y: y + top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
