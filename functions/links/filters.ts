/** Filter settings as they come in, and the filters that there are. */
import { failure, invalidRequest } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import type { FilterSettings } from "../api/schemas/link.ts";
import { compileFilter, type LinkType } from "../engine/bpf/index.ts";
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
  const parsed = parseFilterSettings(filters, { compileBpf: compileFilter });
  if (parsed.ok) return parsed.settings as FilterSettings;
  throw invalidRequest(
    parsed.problems.map(({ path, message }) => ({ path: ["body.filters", ...path].join("."), message })),
  );
}

/**
 * The stored settings, ready for the engine.
 * @param linkType of the packets to come: a bpf expression reads each link type in its own way.
 * @throws ApiError `replay.bpf-link-type` when an expression says nothing of such packets.
 */
export function compileFilters(stored: FilterSettings, linkType: LinkType | undefined): CompiledFilters {
  const compileBpf = (expression: string) => {
    if (linkType !== undefined) return compileFilter(expression, linkType);
    throw failure("replay.bpf-link-type", { detail: "their link type is not one of the interface's" });
  };
  const parsed = parseFilterSettings(stored, { compileBpf });
  if (parsed.ok) return parsed;
  throw failure("replay.bpf-link-type", { detail: parsed.problems[0]!.message });
}

interface CompiledFilters {
  readonly settings: EngineSettings;
  readonly bpfPredicates: PacketPredicate[];
}

/** Every link has every filter, whatever it joins. */
export const listAvailableFilters: Operation<typeof group.routes.listAvailableFilters> = async ({
  params,
}) => {
  await readLink(params.project_id, params.link_id);
  return { status: 200, body: structuredClone(FILTER_DESCRIPTORS) as never };
};
