import { define, type Facts } from "../error-definition.ts";

/** Errors of projects that are made from others. */
export const IMPORT_ERRORS = {
  "project.path-refused": define(403, () => "The path is not allowed"),
  "project.import-refused": define(409, (f: Facts<"detail">) => `Cannot import project, ${f.detail}`),
} as const;
