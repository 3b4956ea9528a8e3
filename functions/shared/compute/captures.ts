/** Captures of links between nodes of computes; intents and outcomes as in nodes.ts. */
import type { Access } from "../edge/access.ts";
import { untilFresh } from "../store/base/transact.ts";
import { readItems } from "../store/contents/read.ts";
import type { CaptureItem } from "../store/lab/capture.ts";
import { beginLinkDeed } from "../store/lab/link.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { carryOutStop } from "./capture-calls.ts";
import { readSettledLink } from "./links.ts";

/**
 * Stops the capture of a link on its compute, where its file stays.
 * @returns the stopped capture; undefined when none was running.
 * @throws ApiError of a compute that is away; then the capture goes on.
 */
export async function stopThere(
  access: Access,
  projectId: string,
  linkId: string,
): Promise<CaptureItem | undefined> {
  const link = await untilFresh(async () => {
    const settled = await readSettledLink(access, projectId, linkId);
    return settled.capture === undefined ? undefined : beginLinkDeed(settled, "stop_capture");
  });
  return link && carryOutStop(access, link);
}

/** Stops the captures that a node records: its compute would overwrite their files when the node starts again. */
export async function stopCapturesOf(
  access: Access,
  { project_id, node_id, links }: NodeItem,
): Promise<void> {
  const ids = Object.values(links).map((end) => end!.link_id);
  if (ids.length === 0) return;
  const found = await readItems(access, project_id, { links: ids });
  for (const link of found.links.values()) {
    if (link.capture?.at?.node_id === node_id) await stopThere(access, project_id, link.link_id);
  }
}
