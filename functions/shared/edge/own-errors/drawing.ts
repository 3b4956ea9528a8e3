import { define, type Facts } from "../error-definition.ts";

export const DRAWING_ERRORS = {
  "drawing.not-found": define(404, (f: Facts<"drawing_id">) => `Drawing ID ${f.drawing_id} doesn't exist`),
  "drawing.locked": define(
    409,
    (f: Facts<"drawing_id">) => `Drawing ID ${f.drawing_id} cannot be deleted because it is locked`,
  ),
} as const;
