import type { Operation } from "../api/operation.ts";
import { listCaptures, removeCaptures } from "../store/capture.ts";
import { deleteLink as removeLink } from "../store/link.ts";
import { STALE, untilFresh } from "../store/transact.ts";
import { readLink } from "./read-link.ts";
import type { group } from "./routes.ts";

/** A link's captures are reached through it alone, so they go with it. */
export const deleteLink: Operation<typeof group.routes.deleteLink> = async ({ params }) => {
  const { project_id, link_id } = params;
  const captures = await untilFresh(async () => {
    const [link, captured] = await Promise.all([
      readLink(project_id, link_id),
      listCaptures(project_id, link_id),
    ]);
    return (await removeLink(link)) ? captured : STALE;
  });
  await removeCaptures(captures);
  return { status: 204 };
};
