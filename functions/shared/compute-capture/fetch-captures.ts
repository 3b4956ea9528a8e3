/** Brings the files of stopped captures from computes into the bucket. */
import { Readable } from "node:stream";
import type { Access } from "../edge/access.ts";
import { readItems } from "../store/contents/read.ts";
import { type CaptureItem, listCaptures } from "../store/lab/capture.ts";
import { isThere, storeFetched } from "../store/lab/capture-there.ts";
import { existingProject } from "../store/project/project.ts";
import { readThere } from "./capture-file.ts";
import { Recording } from "./recording.ts";

/**
 * Fetches the stopped captures of a link that only computes have; tries all of them before it throws the first error.
 * @throws ApiError of a compute, `quota.*`; a capture that is not fetched stays there.
 */
export async function fetchCaptures(access: Access, projectId: string, linkId: string): Promise<void> {
  const errors: unknown[] = [];
  for (const capture of await listCaptures(projectId, linkId)) {
    if (!isThere(capture) || capture.stopped_at === undefined) continue;
    await fetchCapture(access, capture).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

async function fetchCapture(access: Access, capture: CaptureItem): Promise<void> {
  const { project_id } = capture;
  const recording = await Recording.make(capture);
  const counts = () => ({
    packets: recording.packets,
    bytes: recording.bytes,
    limit_reached: recording.limitReached,
  });
  const readProject = async () =>
    existingProject((await readItems(access, project_id, {})).project, project_id);
  await storeFetched(capture, Readable.from(readThere(capture, recording)), counts, readProject);
}
