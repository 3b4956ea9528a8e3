/** Starting and stopping a packet capture (interface document, 4.2). */
import { failure } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { captureHeader } from "../engine/capture-header.ts";
import { listCaptures, startCapture as storeStart } from "../store/capture.ts";
import { stopAndStore, storeCapture } from "../store/capture-file.ts";
import { type LinkItem, toLink } from "../store/link.ts";
import { readItems } from "../store/read.ts";
import { STALE, untilFresh } from "../store/transact.ts";
import { defaultCaptureName } from "./capture-name.ts";
import { readLink } from "./read-link.ts";
import type { group } from "./routes.ts";

const DEFAULT_DATA_LINK_TYPE = "DLT_EN10MB";

type StartRequest = Parameters<Operation<typeof group.routes.startCapture>>[0]["body"];

export const startCapture: Operation<typeof group.routes.startCapture> = async ({ params, body }) => {
  const { project_id, link_id } = params;
  const link = await untilFresh(async () => {
    const before = await readLink(project_id, link_id);
    if (before.document.nodes.length === 0) return before;
    if (before.capture) return refuseOther(before, before.capture, body);
    const name = body.capture_file_name || (await nameOf(before));
    const outcome = await storeStart(before, name, body.data_link_type ?? DEFAULT_DATA_LINK_TYPE);
    return typeof outcome === "string" ? STALE : outcome;
  });
  return { status: 201, body: toLink(link) };
};

/** Asking again for what runs already is no conflict: a client may not have had the first answer. */
function refuseOther(
  link: LinkItem,
  running: NonNullable<LinkItem["capture"]>,
  body: StartRequest,
): LinkItem {
  if (body.capture_file_name && body.capture_file_name !== running.file_name) {
    throw failure("capture.running", { detail: `its file name is ${running.file_name}` });
  }
  if (body.data_link_type && body.data_link_type !== running.data_link_type) {
    throw failure("capture.running", { detail: `its data link type is ${running.data_link_type}` });
  }
  return link;
}

async function nameOf(link: LinkItem): Promise<string> {
  const { nodes: ends } = link.document;
  const { nodes } = await readItems(link.project_id, { nodes: ends.map((end) => end.node_id) });
  return defaultCaptureName(ends, (id) => nodes.get(id)?.name ?? "");
}

export const stopCapture: Operation<typeof group.routes.stopCapture> = async ({ params }) => {
  const { project_id, link_id } = params;
  const link = await untilFresh(async () => {
    const before = await readLink(project_id, link_id);
    if (before.capture === undefined) {
      await finishInterrupted(project_id, link_id);
      return before;
    }
    const header = captureHeader(before.capture.data_link_type);
    return (await stopAndStore(before, header)) ? { ...before, capture: undefined } : STALE;
  });
  return { status: 201, body: toLink(link) };
};

/** A stop that died after the capture ended, and before it was one object, is made up for by the next one. */
async function finishInterrupted(projectId: string, linkId: string): Promise<void> {
  for (const capture of await listCaptures(projectId, linkId)) {
    if (!capture.stored) await storeCapture(capture, captureHeader(capture.data_link_type));
  }
}
