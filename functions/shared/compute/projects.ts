/** Projects on registered computes: each gets a project with its first node there. */

import type { NodeItem } from "../store/lab/node.ts";
import { isOnCompute } from "../store/lab/node.ts";
import { findPeer } from "./find.ts";
import { isCode, leaveProject } from "./there.ts";

/**
 * Closes or deletes a project on the computes of its nodes, which stops the nodes. A compute that is no longer registered is left out.
 * @throws ApiError of a compute that is away: the project is then closed or deleted on those before it, and the request can be repeated,
 *   because a node that its compute has forgotten is made there again when it is started.
 */
export async function leaveComputes(
  projectId: string,
  nodes: readonly NodeItem[],
  how: "close" | "delete",
): Promise<void> {
  const ids = new Set(nodes.filter(isOnCompute).map(({ document }) => document.compute_id));
  for (const id of ids) {
    const peer = await findPeer(id).catch((error: unknown) => {
      if (!isCode(error, "compute.not-found")) throw error;
    });
    if (peer) await leaveProject(peer, projectId, how);
  }
}
