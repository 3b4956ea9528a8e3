import { define, type Facts } from "../error-definition.ts";

export const DELETION_ERRORS = {
  "deletion.nothing-there": define(404, () => "None of these nodes, links and drawings exists"),
  "deletion.not-found": define(
    404,
    (f: Facts<"deletion_id">) =>
      `Deletion ID ${f.deletion_id} doesn't exist: it was undone, or is older than an hour`,
  ),
  "deletion.too-large": define(
    409,
    (f: Facts<"items" | "limit">) =>
      `These parts, their ports and their captures are ${f.items} items, and a deletion has at most ${f.limit}; delete them in several ones`,
  ),
  "deletion.in-the-way": define(
    409,
    (f: Facts<"reason">) => `The deletion cannot be undone, and nothing was changed: ${f.reason}`,
  ),
} as const;
