/** Reads of captures, in open and closed projects alike: what was captured is there until it is deleted. */
import { begunStream } from "../api/begun-stream.ts";
import { failure } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { captureHeader } from "../engine/capture-header.ts";
import { type CaptureItem, listCaptures as readCaptures, toCapture } from "../store/capture.ts";
import { readCapture } from "../store/capture-file.ts";
import { existingLink, type LinkItem } from "../store/link.ts";
import { existingProject } from "../store/project.ts";
import { readItems } from "../store/read.ts";
import type { group } from "./routes.ts";

interface Ids {
  readonly project_id: string;
  readonly link_id: string;
  readonly capture_id: string;
}

/** @throws ApiError when the project, the link or the capture is not there. */
export async function findCapture(ids: Ids): Promise<{ link: LinkItem; capture: CaptureItem }> {
  const { project_id, link_id, capture_id } = ids;
  const wanted = { links: [link_id], capture: { linkId: link_id, captureId: capture_id } };
  const found = await readItems(project_id, wanted);
  existingProject(found.project, project_id);
  const link = existingLink(found.links.get(link_id), link_id);
  if (found.capture === undefined) throw failure("capture.not-found", { capture_id });
  return { link, capture: found.capture };
}

export const listCaptures: Operation<typeof group.routes.listCaptures> = async ({ params }) => {
  const { project_id, link_id } = params;
  const [found, captures] = await Promise.all([
    readItems(project_id, { links: [link_id] }),
    readCaptures(project_id, link_id),
  ]);
  existingProject(found.project, project_id);
  const link = existingLink(found.links.get(link_id), link_id);
  return { status: 200, body: captures.map((capture) => toCapture(capture, link.capture)) };
};

export const getCapture: Operation<typeof group.routes.getCapture> = async ({ params }) => {
  const { link, capture } = await findCapture(params);
  return { status: 200, body: toCapture(capture, link.capture) };
};

export const downloadCapture: Operation<typeof group.routes.downloadCapture> = async ({ params }) => {
  const { link, capture } = await findCapture(params);
  const header = captureHeader(capture.data_link_type, capture.options?.snaplen);
  const body = await begunStream(readCapture(capture, link.capture, header), HEADER_AND_MORE);
  return { status: 200, body, headers: { "content-disposition": attachment(capture.file_name) } };
};

/** Chunks: the header is known without asking the bucket. */
const HEADER_AND_MORE = 2;

/** RFC 6266: a plain name for old clients, the real one in UTF-8 (RFC 8187) for all others. */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
