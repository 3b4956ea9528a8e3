import type { Operation } from "../api/operation.ts";
import { listCaptures, removeCaptures, stopCapture } from "../store/capture.ts";
import { deleteLink as removeLink } from "../store/link.ts";
import { STALE, untilFresh } from "../store/transact.ts";
import { readLink } from "./read-link.ts";
import type { group } from "./routes.ts";

/**
 * A link's captures are reached through it alone, so they go with it: before it, for a deletion that is interrupted to
 * be repeated.
 */
export const deleteLink: Operation<typeof group.routes.deleteLink> = async ({ params }) => {
  const { project_id, link_id } = params;
  await untilFresh(async () => {
    const [link, captures] = await Promise.all([
      readLink(project_id, link_id),
      listCaptures(project_id, link_id),
    ]);
    if (link.capture && (await stopCapture(link)) === undefined) return STALE;
    await removeCaptures(captures);
    return (await removeLink(link)) ? link : STALE;
  });
  return { status: 204 };
};
