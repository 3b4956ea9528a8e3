/** `src`, `dst` and both: which of two fields a test is about. */
import { and, or, type Test } from "../flow.ts";
import type { Direction } from "../syntax.ts";

export type Side = "src" | "dst";

/** Applies `oneSide` to the sides that the direction selects; without a direction, to either side. */
export function inDirection(direction: Direction | null, oneSide: (side: Side) => Test): Test {
  if (direction === "src" || direction === "dst") return oneSide(direction);
  const source = oneSide("src");
  const destination = oneSide("dst");
  return direction === "src and dst" ? and(source, destination) : or(source, destination);
}
