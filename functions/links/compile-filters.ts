/** Compiles stored filter settings for the engine. */

import type { LinkType } from "@wirelab/engine/bpf/index";
import { compileFilters as compile } from "@wirelab/engine/link/filters/compile";
import type { FilterSettings as EngineSettings, PacketPredicate } from "@wirelab/engine/link/filters/index";
import { failureOf } from "../shared/edge/errors.ts";
import { REPLAY_ERRORS } from "../shared/edge/own-errors/replay.ts";
import type { FilterSettings } from "../shared/schemas/link.ts";

/**
 * Compiles the stored settings for the engine.
 * @param linkType of the packets, which decides how a bpf expression reads them.
 * @throws ApiError `replay.bpf-link-type` when an expression does not apply to such packets.
 */
export function compileFilters(stored: FilterSettings, linkType: LinkType): CompiledFilters {
  const parsed = compile(stored, linkType);
  if (parsed.ok) return parsed;
  throw failureOf(REPLAY_ERRORS, "replay.bpf-link-type", { detail: parsed.problems[0]!.message });
}

interface CompiledFilters {
  readonly settings: EngineSettings;
  readonly bpfPredicates: PacketPredicate[];
}
