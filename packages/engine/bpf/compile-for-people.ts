/** Compiles what somebody has typed: an error says how it is written here. Stored filters need no hints, and functions that run labs not their code. */

import { hintFor } from "./hints.ts";
import { compileFilter, FilterSyntaxError } from "./index.ts";
import type { LinkType } from "./link-types.ts";

/** Adds the hint to the message of an error of this folder; leaves other errors as they are. */
export function addHint(expression: string, error: unknown): void {
  if (!(error instanceof FilterSyntaxError)) return;
  const hint = hintFor(expression, error.code, error.span.start, error.span.end);
  if (hint !== undefined) error.message += ` (${hint})`;
}

/** As `compileFilter`. @throws FilterSyntaxError */
export function compileForPeople(expression: string, linkType?: LinkType): ReturnType<typeof compileFilter> {
  try {
    return compileFilter(expression, linkType);
  } catch (error) {
    addHint(expression, error);
    throw error;
  }
}
