/** Deletes an expired project, and stops abandoned captures in others. */

import { headerOf } from "@wirelab/engine/link/capture-header";
import { leaveExpired } from "../shared/compute/finish-left.ts";
import { SERVICE } from "../shared/edge/access.ts";
import { count } from "../shared/edge/metrics.ts";
import { listObjects } from "../shared/store/base/objects.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { removeProject } from "../shared/store/contents/remove-project.ts";
import { forgetExpired } from "../shared/store/deletion/forget-deletions.ts";
import { type CaptureItem, listCaptures } from "../shared/store/lab/capture.ts";
import { stopAndStore } from "../shared/store/lab/capture-file.ts";
import { segmentsKey } from "../shared/store/lab/capture-objects.ts";
import type { LinkItem, RunningCapture } from "../shared/store/lab/link.ts";
import { packetsWrittenMs } from "../shared/store/lab/packets.ts";
import { isInObject } from "../shared/store/lab/segment.ts";
import type { ProjectItem } from "../shared/store/project/project.ts";
import { storeSettingsApart } from "../shared/store/project/update-project.ts";

interface Limits {
  readonly nowMs: number;
  readonly abandonedMs: number;
}

/** @param listed the project in the index, which may be behind; expiry is checked again on the project itself. */
export async function sweepOneProject(listed: ProjectItem, limits: Limits): Promise<void> {
  const { project_id, capture_count } = listed;
  await storeSettingsApart(listed);
  const isOver = (project: ProjectItem): boolean => isExpired(project, limits.nowMs);
  if (isOver(listed)) {
    if (listed.on_computes) await leaveExpired(project_id);
    if (await removeProject(SERVICE, project_id, isOver)) count("ExpiredProjects");
    return;
  }
  if (listed.deletions) await forgetExpired(project_id, limits.nowMs);
  // Missing in projects of releases that did not count captures.
  if (capture_count === 0) return;
  for (const capture of await listCaptures(project_id)) {
    if (isLongSince(capture, limits)) await stopIfAbandoned(capture, limits);
  }
}

const isExpired = ({ expires_at }: ProjectItem, nowMs: number): boolean =>
  expires_at !== undefined && Date.parse(expires_at) <= nowMs;

/** The packets of a capture on a compute are not known here. */
const isLongSince = ({ stopped_at, started_at, at }: CaptureItem, limits: Limits): boolean =>
  stopped_at === undefined && at === undefined && isBefore(Date.parse(started_at), limits);

const isBefore = (timeMs: number, { nowMs, abandonedMs }: Limits): boolean => timeMs <= nowMs - abandonedMs;

/** Stops a capture on condition that no packets were added since it was read; otherwise it continues. */
async function stopIfAbandoned(capture: CaptureItem, limits: Limits): Promise<void> {
  const { project_id, link_id, capture_id } = capture;
  const link = (await readItems(SERVICE, project_id, { links: [link_id] })).links.get(link_id);
  if (link?.capture?.capture_id !== capture_id) return;
  const lastMs = await lastPacketsMs(link, link.capture);
  if (lastMs !== undefined && !isBefore(lastMs, limits)) return;
  if (await stopAndStore(link, headerOf(link.capture))) count("StoppedCaptures");
}

/** Returns the wall-clock time of the last run that added packets to the capture; a lab's clock may be at any time. */
async function lastPacketsMs({ project_id }: LinkItem, running: RunningCapture): Promise<number | undefined> {
  const { capture_id, recent, segments } = running;
  const index = recent.findLastIndex(({ length }) => length > 0);
  const last = recent[index];
  if (last === undefined) return undefined;
  if (!isInObject(last)) return packetsWrittenMs(project_id, capture_id, segments - recent.length + index);
  return (await listObjects(segmentsKey(project_id, last.object_id), 1)).objects[0]?.modifiedMs;
}
