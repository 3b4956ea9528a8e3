/** Filter settings as they are stored, ready for the engine. */
import { failure } from "../api/errors.ts";
import type { FilterSettings } from "../api/schemas/link.ts";
import { compileFilter, type LinkType } from "../engine/bpf/index.ts";
import {
  type FilterSettings as EngineSettings,
  type PacketPredicate,
  parseFilterSettings,
} from "../engine/filters/index.ts";

/**
 * The stored settings, ready for the engine.
 * @param linkType of the packets to come: a bpf expression reads each link type in its own way.
 * @throws ApiError `replay.bpf-link-type` when an expression says nothing of such packets.
 */
export function compileFilters(stored: FilterSettings, linkType: LinkType): CompiledFilters {
  const parsed = parseFilterSettings(stored, {
    compileBpf: (expression) => compileFilter(expression, linkType),
  });
  if (parsed.ok) return parsed;
  throw failure("replay.bpf-link-type", { detail: parsed.problems[0]!.message });
}

interface CompiledFilters {
  readonly settings: EngineSettings;
  readonly bpfPredicates: PacketPredicate[];
}
