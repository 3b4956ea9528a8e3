/** The impairments of a stored link for the engine. */
import { compileFilter, type LinkType } from "@wirelab/engine/bpf/index";
import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import type { LinkImpairments } from "@wirelab/engine/simulation/lab";
import { failure } from "../edge/errors.ts";
import type { StoredImpairments } from "../store/lab/link.ts";

/**
 * @param linkType of the packets, which decides how an expression reads them.
 * @throws ApiError `request.invalid` when the stored settings are no longer valid, or an expression does not apply to such packets.
 */
export function compileImpairments(
  { settings, since_us }: StoredImpairments,
  linkType?: LinkType,
): LinkImpairments {
  const compileBpf = (expression: string) => compileFilter(expression, linkType);
  const parsed = parseImpairments(settings, { compileBpf });
  if (parsed.ok) return { impairments: parsed.impairments, sinceUs: since_us };
  const [{ path, message }] = parsed.problems as [(typeof parsed.problems)[number]];
  throw failure("request.invalid", { detail: `impairments.${path.join(".")}: ${message}` });
}
