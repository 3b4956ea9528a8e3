import { define, type Facts } from "../error-definition.ts";

/** Errors of placeholders that move to a compute. */
export const MOVE_ERRORS = {
  "node.cannot-move": define(
    409,
    (f: Facts<"name" | "why">) => `Node ${f.name} cannot move to a compute: ${f.why}`,
  ),
} as const;
