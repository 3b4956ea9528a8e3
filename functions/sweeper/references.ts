/** What the table of a project refers to in the bucket. */
import { type CaptureItem, listCaptures } from "../store/capture.ts";
import { readTopology } from "../store/read.ts";
import { listPages, type Segment, type SegmentPage } from "../store/segment.ts";

interface References {
  readonly captures: readonly CaptureItem[];
  /** Capture id -> the segments that hold its packets; none when it is one object. */
  readonly segments: ReadonlyMap<string, readonly Segment[]>;
  /** Pages of captures that are gone, or one object: their own deletion was interrupted. */
  readonly leftovers: readonly SegmentPage[];
}

/**
 * Segments go from links to pages or to captures, and never back, so they are looked for in this order; a capture is there
 * before its pages.
 */
export async function readReferences(projectId: string): Promise<References> {
  // Writes out a run that is committed and pending, too.
  const { links } = await readTopology(projectId, "links");
  const pages = await listPages(projectId);
  const captures = await listCaptures(projectId);
  const segments = new Map<string, Segment[]>();
  for (const { capture_id, stored, recent = [] } of captures)
    if (!stored) segments.set(capture_id, [...recent]);
  for (const { capture_id, segments: own } of pages) segments.get(capture_id)?.push(...own);
  for (const { capture } of links) if (capture) segments.get(capture.capture_id)?.push(...capture.recent);
  return { captures, segments, leftovers: pages.filter(({ capture_id }) => !segments.has(capture_id)) };
}
