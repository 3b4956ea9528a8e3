/** The report of impairments as the service and the command line print it: counts by the names of the impairments. */
import type { ImpairmentCounts, ImpairmentReport } from "./report.ts";

export function impairmentsToJson({ counts, duplicated, restored, queue }: ImpairmentReport) {
  return {
    counts: Object.fromEntries(
      counts.map(({ type, ...each }): [string, Omit<ImpairmentCounts, "type">] => [type, each]),
    ),
    duplicated: { ...duplicated },
    restored: { ...restored },
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
