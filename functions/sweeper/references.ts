/** The objects that a project's items in the table refer to. */
import { SERVICE } from "../shared/edge/access.ts";
import { readTopology } from "../shared/store/contents/read.ts";
import { type Kept, readWithKept } from "../shared/store/deletion/forget-deletions.ts";
import { type CaptureItem, listCaptures } from "../shared/store/lab/capture.ts";
import { listPages, type Segment, type SegmentPage } from "../shared/store/lab/segment.ts";

interface References {
  /** The name of the project's states. */
  readonly states: string | undefined;
  readonly captures: readonly CaptureItem[];
  /** Maps capture ids to the segments that hold their packets; no segments if the capture is one object. */
  readonly segments: ReadonlyMap<string, readonly Segment[]>;
  /** Pages of captures that are gone or stored as one object: the deletion of these pages was interrupted. */
  readonly leftovers: readonly SegmentPage[];
  /** What deletions keep, except for the segments in pages, which `segments` has. */
  readonly kept: Kept;
}

/**
 * Segments move from links to pages or to captures, and never back, so the reads follow this order; a capture exists
 * before its pages.
 */
export async function readReferences(projectId: string): Promise<References> {
  const { found, kept } = await readWithKept(projectId, () => readItemsOf(projectId));
  const { project, links, pages, captures } = found;
  const segments = new Map<string, Segment[]>([...kept.captures].map((id) => [id, []]));
  for (const { capture_id, stored, recent = [] } of captures)
    if (!stored) segments.set(capture_id, [...recent]);
  for (const { capture_id, segments: own } of pages) segments.get(capture_id)?.push(...own);
  for (const { capture } of links) if (capture) segments.get(capture.capture_id)?.push(...capture.recent);
  const states = project?.states;
  return {
    states,
    captures,
    segments,
    leftovers: pages.filter(({ capture_id }) => !segments.has(capture_id)),
    kept,
  };
}

async function readItemsOf(projectId: string) {
  // Also makes the changes of a pending commit.
  const { project, links } = await readTopology(SERVICE, projectId, "links");
  const pages = await listPages(projectId);
  return { project, links, pages, captures: await listCaptures(projectId) };
}
