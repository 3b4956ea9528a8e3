/** Filter settings as they come in, and the filters that there are. */
import { invalidRequest } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import type { FilterSettings } from "../api/schemas/link.ts";
import { FILTER_DESCRIPTORS, parseFilterSettings } from "../engine/filters/settings.ts";
import { readLink } from "./read-link.ts";
import type { group } from "./routes.ts";

/**
 * Numbers from numbers and numeric text; filters that are off left out.
 * @throws ApiError 400 naming each filter and parameter that is wrong, so that nothing of the set is stored.
 */
export async function normalizeFilters(filters: Record<string, unknown>): Promise<FilterSettings> {
  // The compiler is much code, and few links have an expression.
  const compileBpf = Object.hasOwn(filters, "bpf")
    ? (await import("../engine/bpf/index.ts")).compileFilter
    : withoutExpression;
  const parsed = parseFilterSettings(filters, { compileBpf });
  if (parsed.ok) return parsed.settings as FilterSettings;
  throw invalidRequest(
    parsed.problems.map(({ path, message }) => ({ path: ["body.filters", ...path].join("."), message })),
  );
}

const withoutExpression = (): never => {
  throw new Error("there is no expression to compile");
};

/** Every link has every filter, whatever it joins. */
export const listAvailableFilters: Operation<typeof group.routes.listAvailableFilters> = async ({
  params,
}) => {
  await readLink(params.project_id, params.link_id);
  return { status: 200, body: structuredClone(FILTER_DESCRIPTORS) as never };
};
