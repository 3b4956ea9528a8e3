/** Where the names of its ports stand on a link: each in its own half, also on a short link. Pure. */
import type { Box } from "../viewport/bounds.ts";

/** How far a name stands from the border of its device, in pixels of the canvas. */
const FAR = 40;
/** On a short link, a share of the link: names do not reach the other half. */
const SHARE = 0.3;
/** The height of a name, and the width of one of its letters. */
const HEIGHT = 12;
const LETTER = 6;

export interface PortNames {
  /** Empty if there is no room for both. */
  readonly from: string;
  readonly to: string;
  /** From the border of the device. */
  readonly offset: number;
}

/** Which part of the line between the middles lies within a box. */
const within = ({ width, height }: Box, dx: number, dy: number): number =>
  Math.min(0.5, width / 2 / Math.abs(dx), height / 2 / Math.abs(dy));

const middleOf = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });

/** @param names of the ports at `a` and at `b`. */
export function placePortNames(a: Box, b: Box, names: readonly [string, string]): PortNames {
  const [start, end] = [middleOf(a), middleOf(b)];
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(dx, dy);
  const free = 1 - within(a, dx, dy) - within(b, dx, dy);
  const offset = length === 0 ? 0 : Math.round(Math.min(FAR, SHARE * free * length));
  /** How far the names are from each other, as a share of the line. */
  const apart = length === 0 ? 0 : free - (2 * offset) / length;
  const needed = ((names[0].length + names[1].length) / 2) * LETTER;
  const hasRoom = Math.abs(dx) * apart >= needed || Math.abs(dy) * apart >= HEIGHT;
  return hasRoom ? { from: names[0], to: names[1], offset } : { from: "", to: "", offset };
}
