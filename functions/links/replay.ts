/** Sends the packets of a capture file through a link, in virtual time. */

import type { CaptureTap } from "@wirelab/engine/link/capture-tap";
import { impairmentsToJson } from "@wirelab/engine/link/impairments/report-json";
import { ReplayError, type ReplayResult, replayThroughLink } from "@wirelab/engine/link/replay";
import { CaptureError } from "@wirelab/engine/pcap/index";
import type { Access } from "../shared/edge/access.ts";
import { failureOf } from "../shared/edge/errors.ts";
import { RESERVE_MS } from "../shared/edge/figures.ts";
import { newId } from "../shared/edge/idempotency.ts";
import { count } from "../shared/edge/metrics.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { REPLAY_ERRORS } from "../shared/edge/own-errors/replay.ts";
import { compileImpairments } from "../shared/run/impairments.ts";
import { streamNameOf } from "../shared/run/stream-name.ts";
import { makeTap, tapOf } from "../shared/run/tap.ts";
import { inTurn } from "../shared/run/turn.ts";
import { formatLabTime } from "../shared/schemas/lab-time.ts";
import type { ReplayReport } from "../shared/schemas/replay.ts";
import { STALE } from "../shared/store/base/transact.ts";
import { type LinkCounts, NOTHING, toCounts } from "../shared/store/commit/count-parts.ts";
import { readItems } from "../shared/store/contents/read.ts";
import type { LinkItem } from "../shared/store/lab/link.ts";
import { compileFilters } from "./compile-filters.ts";
import { readLinkInProject } from "./read-link.ts";
import { record, startOfRun } from "./record.ts";
import { refuseReal } from "./refuse-real.ts";
import { type CaptureContent, encodeArrivals, readContent, refuseOtherLinkType } from "./replay-file.ts";
import type { group } from "./routes.ts";

export const replay: Operation<typeof group.routes.replay> = async ({
  access,
  params,
  query,
  body,
  headers,
  receipt,
  remainingTimeMs,
}) => {
  const content = readContent(body);
  const drawn = newId({ receipt }, "seed");
  const run = await inTurn(access, params.project_id, remainingTimeMs() - RESERVE_MS, async (turn) => {
    const { project, link } = await readLinkInProject(access, params.project_id, params.link_id);
    refuseReal(link, "replay packets into it");
    if (link.capture && turn.isOthers(project)) return STALE;
    const path = findPath(link, query.from);
    refuseOtherLinkType(content, link.capture?.data_link_type);
    const startNs = query.start ?? startOfRun(project, link.capture);
    const seed = query.seed ?? project.seed ?? drawn;
    const tap = link.capture && makeTap({ tap: tapOf(link.capture) });
    const streamName = await streamNameFor(access, link);
    const result = runReplay(link, { streamName, path, seed, startNs, content, tap });
    const { spanNs } = result.report;
    const traffic = trafficOf(link, path, result.report);
    const recorded = await record({ project, link, tap, startNs, spanNs, traffic, receipt });
    if (recorded === "nothing") await turn.leave();
    return recorded ? { link, path, seed, startNs, result } : STALE;
  });
  const report = {
    ...makeReport(run.link, run.path, run.seed, run.startNs, run.result),
    cut_off: content.cutOff,
  };
  count("Runs");
  count("Packets", report.packets_in);
  const counts = countHeaders(report);
  if (wantsJson(headers.accept)) return { status: 200, body: report, headers: counts };
  return { status: 200, body: encodeArrivals(run.result.delivered, run.startNs, content), headers: counts };
};

interface Path {
  readonly from: string;
  readonly to: string;
  readonly direction: "a-to-b" | "b-to-a";
}

function findPath(link: LinkItem, wanted: string | undefined): Path {
  const ends = link.document.nodes.map((end) => end.node_id);
  if (ends.length < 2) throw failureOf(REPLAY_ERRORS, "replay.no-peer", { ends: ends.length });
  const from = wanted ?? ends[0]!;
  const index = ends.indexOf(from);
  if (index < 0) throw failureOf(REPLAY_ERRORS, "replay.not-an-end", { node_id: from });
  return { from, to: ends[1 - index]!, direction: index === 0 ? "a-to-b" : "b-to-a" };
}

/** The types of filters that draw random numbers. */
const RANDOM_FILTERS = ["packet_loss", "corrupt", "delay"];

/** Returns the name of the link's random streams. Reads the ends, for their names, only when the link may have such a stream. */
async function streamNameFor(access: Access, { project_id, document }: LinkItem): Promise<string> {
  const isRandom = RANDOM_FILTERS.some((type) => Object.hasOwn(document.filters, type));
  if (!isRandom && document.impairments === undefined) return "";
  const { nodes } = await readItems(access, project_id, { nodes: document.nodes.map((end) => end.node_id) });
  return streamNameOf(document.nodes, (id) => nodes.get(id)?.name ?? "");
}

interface ReplayInput {
  readonly streamName: string;
  readonly path: Path;
  readonly seed: string;
  readonly startNs: bigint;
  readonly content: CaptureContent;
  readonly tap: CaptureTap | undefined;
}

function runReplay(
  { document }: LinkItem,
  { streamName, path, seed, startNs, content, tap }: ReplayInput,
): ReplayResult {
  const { filters, suspend, impairments } = document;
  const startUs = Number(startNs / 1_000n);
  try {
    return replayThroughLink({
      frames: content.frames,
      streamName,
      direction: path.direction,
      seed,
      suspended: suspend,
      tap,
      ...compileFilters(filters, content.filterLinkType),
      ...(impairments && {
        impairments: { ...compileImpairments(impairments, content.filterLinkType), startUs },
      }),
    });
  } catch (error) {
    if (error instanceof ReplayError || error instanceof CaptureError) {
      throw failureOf(REPLAY_ERRORS, "replay.not-a-capture", { detail: error.message });
    }
    throw error;
  }
}

function trafficOf(
  { link_id, created_us }: LinkItem,
  { direction }: Path,
  { packets, bytes }: ReplayResult["report"],
): LinkCounts {
  const own = toCounts({
    entered: { packets: packets.in, bytes: bytes.in },
    delivered: { packets: packets.delivered, bytes: bytes.delivered },
    dropped: { packets: packets.dropped, bytes: bytes.dropped },
  });
  const [a_to_b, b_to_a] = direction === "a-to-b" ? [own, NOTHING] : [NOTHING, own];
  return { link_id, created_us, a_to_b, b_to_a };
}

function makeReport(
  link: LinkItem,
  { from, to }: Path,
  seed: string,
  startNs: bigint,
  { report }: ReplayResult,
): Omit<ReplayReport, "cut_off"> {
  const none = { min: null, mean: null, p50: null, p90: null, p99: null, max: null };
  return {
    packets_in: report.packets.in,
    packets_delivered: report.packets.delivered,
    packets_dropped: report.packets.dropped,
    packets_corrupted: report.packets.corrupted,
    bytes_in: report.bytes.in,
    bytes_delivered: report.bytes.delivered,
    filters: Object.fromEntries(
      report.filters.map(({ type, seen, dropped, corrupted }) => [type, { seen, dropped, corrupted }]),
    ),
    ...(report.impairments && { impairments: impairmentsToJson(report.impairments) }),
    delay_ms: report.delayMs ? { ...report.delayMs } : none,
    from,
    to,
    seed,
    started_at: formatLabTime(startNs),
    duration_s: report.spanNs / 1e9,
    capture_id: link.capture?.capture_id ?? null,
  };
}

const countHeaders = (report: ReplayReport): Record<string, string> => ({
  "x-packets-in": String(report.packets_in),
  "x-packets-delivered": String(report.packets_delivered),
  "x-packets-dropped": String(report.packets_dropped),
  "x-packets-corrupted": String(report.packets_corrupted),
  "x-seed": encodeURIComponent(report.seed),
  "x-started-at": report.started_at,
  ...(report.cut_off !== null && { "x-cut-off": report.cut_off }),
});

const wantsJson = (accept = ""): boolean => /(^|[,\s])application\/json\b/i.test(accept);
