/** Validation of filter settings, and the list of available filters. */

import { FILTER_DESCRIPTORS, parseFilterSettings } from "@wirelab/engine/link/filters/settings";
import { filteringEnd } from "../shared/compute/filtering.ts";
import type { Access } from "../shared/edge/access.ts";
import { invalidAt } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import type { FilterSettings } from "../shared/schemas/link.ts";
import { readItems } from "../shared/store/contents/read.ts";
import type { LinkItem } from "../shared/store/lab/link.ts";
import { readLink } from "./read-link.ts";
import { isReal } from "./refuse-real.ts";
import type { group } from "./routes.ts";

/**
 * Converts numeric text to numbers, and omits filters that are off.
 * @throws ApiError 400 that names each invalid filter and parameter; then nothing of the set is stored.
 */
export async function normalizeFilters(filters: Record<string, unknown>): Promise<FilterSettings> {
  // Loaded on first use: the compiler is large, and few links have an expression.
  const compileBpf = Object.hasOwn(filters, "bpf")
    ? (await import("@wirelab/engine/bpf/compile-for-people")).compileForPeople
    : withoutExpression;
  const parsed = parseFilterSettings(filters, { compileBpf });
  if (parsed.ok) return parsed.settings as FilterSettings;
  throw invalidAt("body.filters", parsed.problems);
}

const withoutExpression = (): never => {
  throw new Error("there is no expression to compile");
};

/** A simulated link supports every filter, whatever its ends; one between nodes of computes has what an end of it can filter. */
export const listAvailableFilters: Operation<typeof group.routes.listAvailableFilters> = async ({
  access,
  params,
}) => {
  const link = await readLink(access, params.project_id, params.link_id);
  const filters = !isReal(link) || (await filtersSomewhere(access, link)) ? FILTER_DESCRIPTORS : [];
  return { status: 200, body: structuredClone(filters) as never };
};

async function filtersSomewhere(access: Access, { project_id, document }: LinkItem): Promise<boolean> {
  const ids = document.nodes.map(({ node_id }) => node_id);
  const { nodes } = await readItems(access, project_id, { nodes: ids });
  return filteringEnd(ids.flatMap((id) => nodes.get(id) ?? [])) >= 0;
}
