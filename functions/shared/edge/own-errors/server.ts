import { define, type Facts } from "../error-definition.ts";

/** Errors of what a service without a disk does not do, and of its pages. */
export const SERVER_ERRORS = {
  "server.not-local": define(403, (f: Facts<"what">) => `This service cannot ${f.what}`),
  "docs.file-not-found": define(404, (f: Facts<"file">) => `The page has no file named ${f.file}`),
} as const;
