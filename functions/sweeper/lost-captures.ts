/** Finds captures whose packets are missing from the bucket, before a client requests them. */
import { logger } from "../shared/edge/log.ts";
import { count } from "../shared/edge/metrics.ts";
import { listObjects } from "../shared/store/base/objects.ts";
import { type CaptureItem, captureExists, FILE_HEADER_BYTES } from "../shared/store/lab/capture.ts";
import { captureKey, projectPrefixes, segmentsKey } from "../shared/store/lab/capture-objects.ts";
import { isInObject, type Segment } from "../shared/store/lab/segment.ts";
import { readReferences } from "./references.ts";

/** Reads the table before the bucket: a run writes new packets to the bucket before the table. */
export async function reportLostCaptures(projectId: string): Promise<void> {
  const { captures, segments } = await readReferences(projectId);
  if (captures.length === 0) return;
  const sizes = await sizesIn(projectId);
  for (const capture of captures) {
    const missing = objectsOf(capture, segments.get(capture.capture_id)).find(
      ({ key, bytes }) => (sizes.get(key) ?? 0) < bytes,
    );
    if (missing === undefined || !(await captureExists(capture))) continue;
    const { link_id, capture_id, file_name } = capture;
    count("LostCaptures");
    logger.error("lost capture", { project_id: projectId, link_id, capture_id, file_name, key: missing.key });
  }
}

interface NeededObject {
  readonly key: string;
  /** Minimum size of the object. */
  readonly bytes: number;
}

function objectsOf(capture: CaptureItem, segments: readonly Segment[] | undefined): NeededObject[] {
  const { project_id, capture_id, file_name, bytes = 0 } = capture;
  if (segments === undefined)
    return [{ key: captureKey(project_id, capture_id, file_name), bytes: FILE_HEADER_BYTES + bytes }];
  return segments.filter(isInObject).map(({ object_id, offset, length }) => ({
    key: segmentsKey(project_id, object_id),
    bytes: offset + length,
  }));
}

const PAGE_OBJECTS = 1_000;

async function sizesIn(projectId: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const prefix of projectPrefixes(projectId)) {
    let after: string | undefined;
    do {
      const { objects, isLast } = await listObjects(prefix, PAGE_OBJECTS, after);
      for (const { key, bytes } of objects) sizes.set(key, bytes);
      after = isLast ? undefined : objects.at(-1)?.key;
    } while (after !== undefined);
  }
  return sizes;
}
