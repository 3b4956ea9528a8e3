/** The impairments of a stored link for the engine, and the engine's report of them for the response. */
import { compileFilter, type LinkType } from "@wirelab/engine/bpf/index";
import { type ImpairmentReport as Counted, parseImpairments } from "@wirelab/engine/link/impairments/index";
import type { LinkImpairments } from "@wirelab/engine/simulation/lab";
import { failure } from "../edge/errors.ts";
import type { ImpairmentReport } from "../schemas/impairment-report.ts";
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

export function impairmentsOf({ counts, duplicated, restored, queue }: Counted): ImpairmentReport {
  return {
    counts: Object.fromEntries(counts.map(({ type, ...each }) => [type, each])),
    duplicated,
    restored,
    ...(queue && {
      queue: {
        packets: queue.packets,
        bytes: queue.bytes,
        length_packets: queue.lengthPackets,
        length_bytes: queue.lengthBytes,
        sojourn_ms: queue.sojournMs,
      },
    }),
  };
}
