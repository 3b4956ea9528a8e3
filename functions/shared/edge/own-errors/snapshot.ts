import { define, type Facts } from "../error-definition.ts";

export const SNAPSHOT_ERRORS = {
  "snapshot.not-found": define(
    404,
    (f: Facts<"snapshot_id">) => `Snapshot ID ${f.snapshot_id} doesn't exist`,
  ),
  "snapshot.name-taken": define(409, (f: Facts<"name">) => `The snapshot name ${f.name} already exists`),
} as const;
