/** Adds the packets that a replay sent through a link to the link's running capture. */

import { type EpochTime, epochTimeFromNs, NS_PER_SECOND } from "@wirelab/engine/base/time";
import { CaptureTap, makeTapSettings } from "@wirelab/engine/link/capture-tap";
import type { ReplayResult } from "@wirelab/engine/link/replay";
import type { Receipt } from "../shared/edge/idempotency.ts";
import { count } from "../shared/edge/metrics.ts";
import { startOfRunUs } from "../shared/run/clock.ts";
import { keepIfWritten, putObject } from "../shared/store/base/objects.ts";
import { commitSegment } from "../shared/store/lab/capture.ts";
import { segmentsKey } from "../shared/store/lab/capture-objects.ts";
import type { LinkItem, RunningCapture } from "../shared/store/lab/link.ts";
import { refuseOverQuota } from "../shared/store/limits/quota.ts";
import { withRoomFor } from "../shared/store/limits/stored-bytes.ts";
import type { ProjectItem } from "../shared/store/project/project.ts";
import { type CaptureContent, refusingTimes } from "./replay-file.ts";

/** Returns the lab's clock, or the end of the capture's last run if that is later, so that timestamps never go back. */
export function startOfRun(project: ProjectItem, capture: RunningCapture | undefined): bigint {
  return later(BigInt(startOfRunUs(project)) * NS_PER_US, BigInt(capture?.end_ns ?? 0));
}

const NS_PER_US = 1_000n;
const later = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/**
 * Writes the bytes first, then one transaction that adds them to the capture and moves the lab's clock to the end. A reached limit is
 * recorded even if the run adds no packet.
 * @returns false when the capture changed since the link was read: then nothing was recorded.
 * @throws ApiError `quota.stored-bytes`, `quota.user-stored-bytes`
 */
export async function record(
  link: LinkItem,
  { frames }: CaptureContent,
  { delivered, report }: ReplayResult,
  startNs: bigint,
  project: ProjectItem,
  receipt?: Receipt,
): Promise<boolean> {
  const { capture, project_id } = link;
  if (capture === undefined || capture.limit_reached) return true;
  const tap = new CaptureTap(makeTapSettings(capture.options ?? {}, capture.data_link_type), capture);
  if (tap.settings.tap === "before") offerEntering(tap, frames);
  else for (const frame of delivered) tap.offer(frame.deliveryNs, frame.data, frame.originalLength);
  if (tap.packets === 0 && !tap.limitReached) return true;
  const bytes = refusingTimes(() => tap.encode(epochTimeFromNs(startNs)));
  refuseOverQuota(project, { stored_bytes: bytes.length });
  const segment = { object_id: crypto.randomUUID(), offset: 0, length: bytes.length };
  const key = segmentsKey(project_id, segment.object_id);
  const endNs = startNs + BigInt(report.spanNs);
  const content = {
    segment,
    packets: tap.packets,
    limitReached: tap.limitReached,
    endNs: later(endNs, BigInt(capture.end_ns)),
    clockUs: Math.max(project.clock_us ?? 0, Number(endNs / NS_PER_US) + 1),
    receipt,
  };
  const committed = await withRoomFor(bytes.length, project.owner, async () => {
    await putObject(key, bytes, "application/octet-stream");
    return keepIfWritten([key], commitSegment(link, capture, content));
  });
  if (committed) count("CapturedBytes", bytes.length);
  return committed;
}

/** Offers each frame as it enters, at its own offset from the first; frames stamped before the first enter with it. */
function offerEntering(tap: CaptureTap, frames: CaptureContent["frames"]): void {
  const first = frames[0];
  if (first === undefined) return;
  for (const frame of frames) {
    tap.offer(Math.max(0, offsetNs(first, frame)), frame.data, frame.originalLength);
  }
}

const offsetNs = (from: EpochTime, to: EpochTime): number =>
  (to.seconds - from.seconds) * NS_PER_SECOND + (to.nanoseconds - from.nanoseconds);
