/** Reads captures in open and closed projects: captured packets are available until they are deleted. */

import { headerOf } from "@wirelab/engine/link/capture-header";
import type { Access } from "../shared/edge/access.ts";
import { begunStream } from "../shared/edge/begun-stream.ts";
import { failure } from "../shared/edge/errors.ts";
import { attachment } from "../shared/edge/http/attachment.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { refuseTooLong, withinStream } from "../shared/edge/stream-limit.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { readItems } from "../shared/store/contents/read.ts";
import {
  type CaptureItem,
  FILE_HEADER_BYTES,
  listCaptures as readCaptures,
  toCapture,
} from "../shared/store/lab/capture.ts";
import { readCapture, storedCaptureUrl } from "../shared/store/lab/capture-file.ts";
import { isThere } from "../shared/store/lab/capture-there.ts";
import { existingLink, type RunningCapture } from "../shared/store/lab/link.ts";
import { existingProject } from "../shared/store/project/project.ts";
import { readFile } from "./read-file.ts";
import type { group } from "./routes.ts";

interface Ids {
  readonly project_id: string;
  readonly link_id: string;
  readonly capture_id: string;
}

interface FoundCapture {
  readonly capture: CaptureItem;
  /** Present while it runs. */
  readonly running: RunningCapture | undefined;
}

/** @throws ApiError when the project, the link or the capture does not exist. */
export function findCapture(access: Access, { project_id, link_id, capture_id }: Ids): Promise<FoundCapture> {
  const wanted = { links: [link_id], capture: { linkId: link_id, captureId: capture_id } };
  return untilFresh(async () => {
    const found = await readItems(access, project_id, wanted);
    existingProject(found.project, project_id);
    const link = existingLink(found.links.get(link_id), link_id);
    const { capture } = found;
    if (capture === undefined) throw failure("capture.not-found", { capture_id });
    const running = link.capture?.capture_id === capture_id ? link.capture : undefined;
    // The capture was read before it stopped, and its link after that.
    return running === undefined && capture.stopped_at === undefined ? STALE : { capture, running };
  });
}

export const listCaptures: Operation<typeof group.routes.listCaptures> = async ({ access, params }) => {
  const { project_id, link_id } = params;
  const [found, captures] = await Promise.all([
    readItems(access, project_id, { links: [link_id] }),
    readCaptures(project_id, link_id),
  ]);
  existingProject(found.project, project_id);
  const link = existingLink(found.links.get(link_id), link_id);
  return { status: 200, body: captures.map((capture) => toCapture(capture, link.capture)) };
};

export const getCapture: Operation<typeof group.routes.getCapture> = async ({ access, params }) => {
  const { capture, running } = await findCapture(access, params);
  return { status: 200, body: toCapture(capture, running) };
};

export const downloadCapture: Operation<typeof group.routes.downloadCapture> = async ({
  access,
  params,
  headOnly = false,
}) => {
  const { capture, running } = await findCapture(access, params);
  const header = headerOf(capture);
  const disposition = attachment(capture.file_name);
  if (isThere(capture)) {
    if (headOnly)
      return { status: 200, body: new Uint8Array(0), headers: { "content-disposition": disposition } };
    const file = await begunStream(() => withinStream(readFile(capture, running)), HEADER_AND_MORE);
    return { status: 200, body: file, headers: { "content-disposition": disposition } };
  }
  if (running === undefined) {
    const headers: Record<string, string> = {
      location: await storedCaptureUrl(capture, header, disposition, headOnly),
    };
    return { status: 303, headers };
  }
  refuseTooLong(FILE_HEADER_BYTES + running.bytes, "stop the capture, then download it");
  const body = await begunStream(() => readCapture(capture, running, header), HEADER_AND_MORE);
  return { status: 200, body, headers: { "content-disposition": disposition } };
};

/** In chunks: the header is known without a read from the bucket. */
const HEADER_AND_MORE = 2;
