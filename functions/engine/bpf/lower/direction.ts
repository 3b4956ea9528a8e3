/** `src`, `dst` and both: which of two fields a test is about. */
import { and, anyOf, or, type Test } from "../flow.ts";
import type { Direction } from "../syntax.ts";

export type Side = "src" | "dst";

/** Applies `oneSide` to what the direction asks for; none written means either side. */
export function inDirection(direction: Direction | null, oneSide: (side: Side) => Test): Test {
  if (direction === "src" || direction === "dst") return oneSide(direction);
  const source = oneSide("src");
  const destination = oneSide("dst");
  return direction === "src and dst" ? and(source, destination) : or(source, destination);
}

/** The same for any of several values: one field after the other where they may differ, else value by value. */
export function anyInDirection<T>(
  values: readonly T[],
  direction: Direction | null,
  test: (value: T, side: Side) => Test,
): Test {
  if (direction === "src and dst")
    return anyOf(values, (value) => inDirection(direction, (side) => test(value, side)));
  return inDirection(direction, (side) => anyOf(values, (value) => test(value, side)));
}
