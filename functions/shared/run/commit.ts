/** Commits a run: captured packets to the bucket first, as one object, unless they are few; then all changes atomically to the table. */

import { epochTimeFromNs } from "@wirelab/engine/base/time";
import { isGuestType } from "@wirelab/engine/devices/find-kind";
import type { CaptureTap } from "@wirelab/engine/link/capture-tap";
import type { SimLink } from "@wirelab/engine/simulation/sim-link";
import type { Receipt } from "../edge/idempotency.ts";
import { count } from "../edge/metrics.ts";
import type { FilterSettings } from "../schemas/link.ts";
import { keepIfWritten, putObject } from "../store/base/objects.ts";
import { commitRun } from "../store/commit/commit.ts";
import { type LinkCounts, toCounts } from "../store/commit/count-parts.ts";
import { bytesAddedBy, guestBytesAddedBy, type NodeChange, sizeOf } from "../store/commit/run-changes.ts";
import { segmentsKey } from "../store/lab/capture-objects.ts";
import type { LinkItem, RunningCapture } from "../store/lab/link.ts";
import { dueForPage } from "../store/lab/segment.ts";
import { refuseOverQuota } from "../store/limits/quota.ts";
import type { ProjectItem } from "../store/project/project.ts";
import { withRoomFor } from "../store/project/stored-bytes.ts";
import { currentGuests } from "./guests.ts";
import type { LabRun } from "./lab-run.ts";
import { placed, type RecordedChange, type RecordedLinkChange, type RecordedSegment } from "./placed.ts";

/** Commits a run. @returns false, and throws, as `commitChanges` does. */
export async function commit(run: LabRun, receipt?: Receipt): Promise<boolean> {
  const { simulation, startUs } = run;
  const clockUs = startUs + Math.ceil(simulation.nowNs / 1000);
  const changed = nodeChanges(run);
  const links = linkChanges(run, clockUs);
  const guests = currentGuests();
  const stored = (await guests?.store(changed)) ?? { keys: [], changes: changed };
  const changes = [...stored.changes, ...links];
  const counted = { traffic: trafficOf(run), receipt };
  const written = commitChanges(run.lab.project, clockUs, changes, counted);
  const committed = await (stored.keys.length > 0 ? keepIfWritten(stored.keys, written) : written);
  if (committed) await guests?.discard(changed);
  return committed;
}

/** Returns what the run adds to the counters of its links. */
function trafficOf({ simulation, items }: LabRun): LinkCounts[] {
  return [...simulation.links.values()]
    .filter((link) => link.enteredPackets > 0)
    .map(({ id, aToB, bToA }) => ({
      link_id: id,
      created_us: items.links.get(id)!.created_us,
      a_to_b: toCounts(aToB.traffic),
      b_to_a: toCounts(bToA.traffic),
    }));
}

/**
 * @returns false when the lab changed since it was read; then nothing was written.
 * @throws ApiError `quota.stored-bytes`, `quota.user-stored-bytes` when the project, or its owner, has no room for the captured
 *   packets; then nothing was written either.
 */
export async function commitChanges(
  project: ProjectItem,
  clockUs: number,
  recorded: readonly RecordedChange[],
  { traffic, receipt }: { traffic?: readonly LinkCounts[]; receipt?: Receipt | undefined } = {},
): Promise<boolean> {
  const { changes, object } = placed(recorded);
  const addedBytes = bytesAddedBy(changes);
  refuseOverQuota(project, { stored_bytes: addedBytes });
  const keys = object ? [segmentsKey(project.project_id, object.id)] : [];
  const write = async () => {
    for (const key of keys) await putObject(key, object!.bytes, "application/octet-stream");
    return keepIfWritten(keys, commitRun(project, clockUs, changes, traffic, receipt));
  };
  // A run with guests may have taken minutes: refuseWithoutRoom (guest-room.ts) has looked before whether they may grow.
  const committed = await withRoomFor(addedBytes, project.owner, write, guestBytesAddedBy(changes));
  if (committed) count("CapturedBytes", addedBytes);
  return committed;
}

function nodeChanges({ simulation, items }: LabRun): NodeChange[] {
  return [...simulation.nodes.values()].flatMap((node) => {
    const change = node.changes();
    if (change === undefined) return [];
    const { state: _state, ...rest } = items.nodes.get(node.id)!;
    const { status, created_us, document } = rest;
    // The state of a guest is an object of its own, which the node's item names.
    const before = isGuestType(document.node_type) ? undefined : { status, created_us };
    return [{ kind: "node" as const, node_id: node.id, before, rest_bytes: sizeOf(rest), ...change }];
  });
}

function linkChanges({ simulation, items, startUs }: LabRun, clockUs: number): RecordedLinkChange[] {
  const [startNs, endNs] = [BigInt(startUs) * 1000n, BigInt(clockUs) * 1000n];
  return [...simulation.links.values()].flatMap((link) => {
    const item = items.links.get(link.id)!;
    const state = link.changedState();
    const document = changedDocument(link, item);
    const added = item.capture && link.tap && appended(item.capture, link.tap, startNs, endNs);
    if (!state && !document && !added) return [];
    const { state: _state, ...rest } = item;
    const change = {
      kind: "link" as const,
      link_id: link.id,
      state,
      document,
      added,
      revision: item.revision,
    };
    return [{ ...change, rest_bytes: sizeOf(rest) }];
  });
}

/** Returns the link's settings if the run has changed them. */
function changedDocument(link: SimLink, { document }: LinkItem): LinkItem["document"] | undefined {
  const filters = link.filters.settings as FilterSettings;
  const impairments = impairmentsOf(link, document);
  const same =
    link.suspended === document.suspend &&
    impairments === document.impairments &&
    JSON.stringify(filters) === JSON.stringify(document.filters);
  if (same) return undefined;
  const { impairments: _before, ...others } = document;
  return { ...others, ...(impairments && { impairments }), filters, suspend: link.suspended };
}

/** Impairments that the run has set carry their settings; those that were loaded do not. */
function impairmentsOf(
  { impairments }: SimLink,
  document: LinkItem["document"],
): LinkItem["document"]["impairments"] {
  const { settings, sinceUs } = impairments ?? {};
  if (settings && sinceUs !== undefined) return { settings, since_us: sinceUs };
  return impairments && document.impairments;
}

/**
 * Appends the packets that a run has recorded to a capture.
 * @param startNs the run's start, nanoseconds since 1970, like its end.
 * @returns undefined when the capture does not change.
 * @throws CaptureError when a time lies outside the format's range (1970 to 2106).
 */
export function appended(
  capture: RunningCapture,
  tap: CaptureTap,
  startNs: bigint,
  endNs: bigint,
): RecordedSegment | undefined {
  if (tap.packets === 0 && tap.limitReached === (capture.limit_reached ?? false)) return undefined;
  const recorded = tap.encode(epochTimeFromNs(startNs));
  const previousNs = BigInt(capture.end_ns);
  return {
    capture_id: capture.capture_id,
    number: capture.segments,
    recorded,
    page: dueForPage(capture.recent),
    packets: capture.packets + tap.packets,
    bytes: capture.bytes + recorded.length,
    end_ns: String(endNs > previousNs ? endNs : previousNs),
    limit_reached: tap.limitReached,
  };
}
