/** Duplicates a node of a registered compute: stores the copy, then creates it there with the files of the original. */
import { computeTypeOf } from "../shared/compute/compute-types.ts";
import { findPeer } from "../shared/compute/find.ts";
import { carryOutCreation, readSettled } from "../shared/compute/nodes.ts";
import type { Access } from "../shared/edge/access.ts";
import { failure, failureOf } from "../shared/edge/errors.ts";
import { NODE_ERRORS } from "../shared/edge/own-errors/node.ts";
import { withIouNumber } from "../shared/node/iou-number.ts";
import { storeNew } from "../shared/node/store-new.ts";
import { begin } from "../shared/store/lab/doing.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import { copiedNode, type Place } from "./copied-node.ts";

/** Properties that identify one node; the copy gets new ones. */
const OF_ONE_NODE: ReadonlySet<string> = new Set([
  "mac_addr",
  "mac_address",
  "application_id",
  "dynamips_id",
  "container_id",
]);

/**
 * @param copyId the id of the copy; a node that has it is returned.
 * @throws ApiError `node.not-duplicable`, `node.running`, as `addNode`, and those of the compute; then there is no copy.
 */
export async function duplicateRealNode(
  access: Access,
  { project_id, node_id, name }: NodeItem,
  copyId: string,
  place: Place,
): Promise<NodeItem> {
  const doing = begin("create", node_id);
  const copy = await storeNew(access, project_id, copyId, name, async () => {
    const original = await readSettled(access, project_id, node_id);
    refuseDuplicate(original);
    await findPeer(original.document.compute_id, project_id);
    const kept = Object.entries(original.document.properties).filter(([key]) => !OF_ONE_NODE.has(key));
    const properties = await withIouNumber(original.document, Object.fromEntries(kept));
    return {
      isNumbered: false,
      console: null,
      make(own) {
        const copied = copiedNode(original, own, null, "stopped", place);
        const { before_move: _ofTheOriginal, ...document } = copied.document;
        return { ...copied, document: { ...document, properties }, doing };
      },
    };
  });
  if (copy.doing?.id === doing.id) return carryOutCreation(access, copy);
  return readSettled(access, project_id, copyId);
}

function refuseDuplicate({ name, status, document: { node_type } }: NodeItem): void {
  const { isSingle, isAlwaysOn } = computeTypeOf(node_type);
  if (isSingle) throw failureOf(NODE_ERRORS, "node.not-duplicable", { node_type });
  if (status !== "stopped" && !isAlwaysOn) throw failure("node.running", { name });
}
