/** Formats a link's report, for people and for programs. */

import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import { impairmentsToJson } from "@wirelab/engine/link/impairments/report-json";
import type { ReplayReport, TrafficCounts } from "@wirelab/engine/link/replay";

export interface LinkReport extends ReplayReport {
  readonly seed: string;
  readonly direction: "a-to-b" | "b-to-a";
  /** The message, if the capture is cut off in the middle of a packet. */
  readonly cutOff: string | null;
}

const NAME_CHARACTERS = 16;
const COLUMN_CHARACTERS = 12;

/**
 *     filter                  seen     dropped   corrupted        held
 *     packet_loss              473          44           0           0
 *     total                    473          44           0
 *
 *     delivered       429 of 473 packets, 52341 of 58418 bytes
 */
export function formatTable(report: LinkReport): string {
  const { packets, bytes, filters, delayMs } = report;
  const rows = [
    row("filter", "seen", "dropped", "corrupted", "held"),
    ...filters.map(({ type, seen, dropped, corrupted, held }) => row(type, seen, dropped, corrupted, held)),
    ...(report.impairments?.counts ?? []).map(({ type, seen, dropped, corrupted, held }) =>
      row(type, seen, dropped, corrupted, held),
    ),
    row("total", packets.in, packets.dropped, packets.corrupted),
    "",
    pair(
      "delivered",
      `${packets.delivered} of ${packets.in} packets, ${bytes.delivered} of ${bytes.in} bytes`,
    ),
    pair("dropped", `${packets.dropped}${percentage(packets)}`),
  ];
  if (delayMs !== null) {
    rows.push(pair("delay", `${delayMs.min} .. ${delayMs.max} ms, median ${delayMs.p50} ms`));
  }
  rows.push(pair("duration", `${report.spanNs / NS_PER_SECOND} s`), pair("seed", report.seed));
  return `${rows.join("\n")}\n`;
}

/** The names are those of the service's replay report. */
export function formatJson({
  packets,
  bytes,
  filters,
  delayMs,
  impairments,
  spanNs,
  seed,
  direction,
  cutOff,
}: LinkReport): string {
  const report = {
    packets_in: packets.in,
    packets_delivered: packets.delivered,
    packets_dropped: packets.dropped,
    packets_corrupted: packets.corrupted,
    bytes_in: bytes.in,
    bytes_delivered: bytes.delivered,
    filters: Object.fromEntries(filters.map(({ type, ...counts }) => [type, counts])),
    ...(impairments && { impairments: impairmentsToJson(impairments) }),
    delay_ms: delayMs,
    direction,
    seed,
    duration_s: spanNs / NS_PER_SECOND,
    cut_off: cutOff,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function row(name: string, ...columns: (string | number)[]): string {
  return (
    name.padEnd(NAME_CHARACTERS) + columns.map((value) => String(value).padStart(COLUMN_CHARACTERS)).join("")
  );
}

function pair(name: string, value: string): string {
  return name.padEnd(NAME_CHARACTERS) + value;
}

function percentage({ in: entered, dropped }: TrafficCounts): string {
  return entered === 0 ? "" : ` (${((100 * dropped) / entered).toFixed(1)} %)`;
}
