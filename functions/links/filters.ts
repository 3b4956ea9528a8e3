/** Filter settings as they come in, and the filters that there are. */
import { invalidRequest } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import type { FilterSettings } from "../api/schemas/link.ts";
import {
  type FilterSettings as EngineSettings,
  FILTER_DESCRIPTORS,
  type PacketPredicate,
  parseFilterSettings,
} from "../engine/filters/index.ts";
import { readLink } from "./read-link.ts";
import type { group } from "./routes.ts";

/**
 * Numbers from numbers and numeric text; filters that are off left out.
 * @throws ApiError 400 naming each filter and parameter that is wrong, so that nothing of the set is stored.
 */
export function normalizeFilters(filters: Record<string, unknown>): FilterSettings {
  const parsed = parseFilterSettings(filters);
  if (parsed.ok) return parsed.settings as FilterSettings;
  throw invalidRequest(
    parsed.problems.map(({ path, message }) => ({ path: ["body.filters", ...path].join("."), message })),
  );
}

/**
 * The stored settings, ready for the engine.
 * @throws Error when they do not pass: they were checked before they were stored.
 */
export function compileFilters(stored: FilterSettings): {
  settings: EngineSettings;
  bpfPredicates: PacketPredicate[];
} {
  const parsed = parseFilterSettings(stored);
  if (parsed.ok) return parsed;
  throw new Error(`Stored filters are not valid: ${parsed.problems[0]!.message}`);
}

/** Every link has every filter, whatever it joins. */
export const listAvailableFilters: Operation<typeof group.routes.listAvailableFilters> = async ({
  params,
}) => {
  await readLink(params.project_id, params.link_id);
  return { status: 200, body: structuredClone(FILTER_DESCRIPTORS) as never };
};
