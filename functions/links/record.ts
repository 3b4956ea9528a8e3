/** Adds what a run delivered to the capture that runs on the link. */
import type { ReplayResult } from "../engine/replay.ts";
import { commitSegment } from "../store/capture.ts";
import { segmentKey } from "../store/capture-objects.ts";
import type { LinkItem, RunningCapture } from "../store/link.ts";
import { deleteObjects, putObject } from "../store/objects.ts";

/** The present, or the end of the capture's last run when that lies later: its timestamps never go back. */
export function startOfRun(capture: RunningCapture | undefined): bigint {
  const now = BigInt(Date.now()) * 1_000_000n;
  const end = BigInt(capture?.end_ns ?? 0);
  return now > end ? now : end;
}

/**
 * Bytes first, then one transaction that makes them part of the capture.
 * @returns false when the capture changed since the link was read: then nothing was recorded.
 */
export async function record(
  link: LinkItem,
  encode: () => Uint8Array,
  { delivered, report }: ReplayResult,
  startNs: bigint,
): Promise<boolean> {
  const { capture, project_id } = link;
  if (capture === undefined || delivered.length === 0) return true;
  const bytes = encode();
  const objectKey = segmentKey(project_id, capture.capture_id, capture.segments);
  await putObject(objectKey, bytes, "application/octet-stream");
  const endNs = startNs + BigInt(report.spanNs);
  const previous = BigInt(capture.end_ns);
  const committed = await commitSegment(link, capture, {
    objectKey,
    packets: delivered.length,
    bytes: bytes.length,
    endNs: endNs > previous ? endNs : previous,
  });
  if (!committed) await deleteObjects([objectKey]);
  return committed;
}
