import { disconnect } from "../shared/compute/links.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { MAX_TRANSACTION_ITEMS, STALE, untilFresh } from "../shared/store/base/transact.ts";
import {
  type CaptureItem,
  discardPackets,
  listCaptures,
  removeCaptures,
  removing,
  stopCapture,
} from "../shared/store/lab/capture.ts";
import { type LinkItem, deleteLink as removeLink } from "../shared/store/lab/link.ts";
import { readLink } from "./read-link.ts";
import type { group } from "./routes.ts";

/** The link, its two ends, and the project, which counts. */
const LINK_ITEMS = 4;
const MAX_CAPTURES = MAX_TRANSACTION_ITEMS - LINK_ITEMS;

/** Deletes a link with its captures, which only the link makes reachable, in one transaction, and then their packets. */
export const deleteLink: Operation<typeof group.routes.deleteLink> = async ({ access, params }) => {
  const { project_id, link_id } = params;
  let isDisconnected = false;
  const captures = await untilFresh(async () => {
    const link = await readLink(access, project_id, link_id);
    if (!isDisconnected && (link.tunnel !== undefined || link.doing !== undefined)) {
      await disconnect(access, project_id, link_id);
      isDisconnected = true;
      return STALE;
    }
    const captures = await listCaptures(project_id, link_id);
    if (captures.length > MAX_CAPTURES) return removeSurplus(link, captures);
    const going = removing(captures, [link]);
    return going && (await removeLink(link, going)) ? captures : STALE;
  });
  await discardPackets(captures);
  return { status: 204 };
};

/** Removes the captures that exceed a transaction first, oldest first; then the caller reads the link again. */
async function removeSurplus(link: LinkItem, captures: readonly CaptureItem[]): Promise<typeof STALE> {
  if (link.capture && (await stopCapture(link)) === undefined) return STALE;
  await removeCaptures(captures.slice(0, captures.length - MAX_CAPTURES));
  return STALE;
}
