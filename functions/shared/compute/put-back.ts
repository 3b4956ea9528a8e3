/** Puts back a node that was being moved to a compute: move.ts. */
import type { Access } from "../edge/access.ts";
import { forEachParallel } from "../store/base/parallel.ts";
import { STALE, untilFresh } from "../store/base/transact.ts";
import { readItems } from "../store/contents/read.ts";
import { storeTunnel, undoMove } from "../store/lab/move-node.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { peerOfNode } from "./find.ts";
import { deleteThere } from "./there.ts";

const PARALLEL = 3;

/** What its compute has of it, a later move finds by its id. */
export async function putBack(access: Access, node: NodeItem): Promise<void> {
  await peerOfNode(node)
    .then((peer) => deleteThere(peer, node))
    .catch(() => {});
  const ids = Object.values(node.links).flatMap((end) => end?.link_id ?? []);
  await forEachParallel(ids, PARALLEL, (id) =>
    untilFresh(async () => {
      const link = (await readItems(access, node.project_id, { links: [id] })).links.get(id);
      if (link?.tunnel === undefined) return true;
      return (await storeTunnel(link, undefined)) || STALE;
    }),
  );
  await undoMove(node);
}
