/** Makes a run's changes lasting: captured packets to the bucket first, then everything at once to the table. */

import type { Receipt } from "../api/idempotency.ts";
import { count } from "../api/metrics.ts";
import type { FilterSettings } from "../api/schemas/link.ts";
import type { SimLink } from "../engine/simulation/sim-link.ts";
import { segmentKey } from "../store/capture-objects.ts";
import { commitRun } from "../store/lab.ts";
import type { LinkItem } from "../store/link.ts";
import { keepIfWritten, putObject } from "../store/objects.ts";
import { forEachParallel } from "../store/parallel.ts";
import { getProject, type ProjectItem } from "../store/project.ts";
import { refuseOverQuota } from "../store/quota.ts";
import { bytesAddedBy, type LinkChange, type NodeChange, type SegmentChange } from "../store/run-changes.ts";
import type { LabRun } from "./run-lab.ts";

const PARALLEL_UPLOADS = 16;
/** With more than these it is worth a read to learn that the run has lost already. */
const FEW_UPLOADS = 4;

async function hasChanged({ project_id, run }: ProjectItem): Promise<boolean> {
  return (await getProject(project_id))?.run !== run;
}

interface Segment {
  readonly key: string;
  readonly bytes: Uint8Array;
}

/**
 * @returns false when something else happened in the lab since it was read: then nothing has changed.
 * @throws ApiError `quota.stored-bytes` when the project has no room for what was captured: nothing has changed, either.
 */
export async function commit(run: LabRun, receipt?: Receipt): Promise<boolean> {
  const { simulation, startUs } = run;
  const clockUs = startUs + Math.ceil(simulation.nowNs / 1000);
  const segments: Segment[] = [];
  const changes = [...nodeChanges(run), ...linkChanges(run, clockUs, segments)];
  refuseOverQuota(run.lab.project, { stored_bytes: bytesAddedBy(changes) });
  if (segments.length > FEW_UPLOADS && (await hasChanged(run.lab.project))) return false;
  await forEachParallel(segments, PARALLEL_UPLOADS, ({ key, bytes }) =>
    putObject(key, bytes, "application/octet-stream"),
  );
  const committed = await keepIfWritten(
    segments.map(({ key }) => key),
    commitRun(run.lab.project, clockUs, changes, receipt),
  );
  if (committed) count("CapturedBytes", bytesAddedBy(changes));
  return committed;
}

function nodeChanges({ simulation }: LabRun): NodeChange[] {
  return [...simulation.nodes.values()].flatMap((node) => {
    const change = node.changes();
    return change ? [{ kind: "node" as const, node_id: node.id, ...change }] : [];
  });
}

function linkChanges(
  { simulation, items, startUs }: LabRun,
  clockUs: number,
  segments: Segment[],
): LinkChange[] {
  return [...simulation.links.values()].flatMap((link) => {
    const item = items.links.get(link.id)!;
    const state = link.changedState();
    const document = changedDocument(link, item);
    const segment = segmentOf(link, item, startUs, clockUs, segments);
    if (!state && !document && !segment) return [];
    return [{ kind: "link" as const, link_id: link.id, state, document, segment, revision: item.revision }];
  });
}

/** The link's settings when the run has changed them. */
function changedDocument(link: SimLink, { document }: LinkItem): LinkItem["document"] | undefined {
  const filters = link.filters.settings as FilterSettings;
  const same =
    link.suspended === document.suspend && JSON.stringify(filters) === JSON.stringify(document.filters);
  return same ? undefined : { ...document, filters, suspend: link.suspended };
}

function segmentOf(
  { tap }: SimLink,
  { project_id, capture }: LinkItem,
  startUs: number,
  clockUs: number,
  segments: Segment[],
): SegmentChange | undefined {
  if (tap === undefined || capture === undefined) return undefined;
  const bytes = tap.encode({ seconds: Math.floor(startUs / 1e6), nanoseconds: (startUs % 1e6) * 1000 });
  const endNs = BigInt(clockUs) * 1000n;
  const previousNs = BigInt(capture.end_ns);
  if (tap.packets === 0 && tap.limitReached === (capture.limit_reached ?? false)) return undefined;
  const key = segmentKey(project_id, capture.capture_id, capture.segments);
  segments.push({ key, bytes });
  return {
    capture_id: capture.capture_id,
    number: capture.segments,
    object_key: key,
    packets: capture.packets + tap.packets,
    bytes: capture.bytes + bytes.length,
    added_bytes: bytes.length,
    end_ns: String(endNs > previousNs ? endNs : previousNs),
    limit_reached: tap.limitReached,
  };
}
