/** Makes a node of a registered compute from a request: stores it, then creates it there. */
import { findPeer } from "../compute/find.ts";
import { carryOutCreation, readSettled } from "../compute/nodes.ts";
import type { Access } from "../edge/access.ts";
import { failure } from "../edge/errors.ts";
import type { KnownType, NodeCreate } from "../schemas/node.ts";
import { hasImage } from "../schemas/router-image.ts";
import { begin } from "../store/lab/doing.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { withoutNulls } from "./hardware.ts";
import { withIouNumber } from "./iou-number.ts";
import { makeNodeItem } from "./node-item.ts";
import { storeNew } from "./store-new.ts";

/**
 * Returns the existing node if the project has one with this id.
 * @throws ApiError as `addNode`, and those of the compute; then there is no such node.
 */
export async function addRealNode(
  access: Access,
  project_id: string,
  node_id: string,
  request: NodeCreate,
): Promise<NodeItem> {
  const { node_type, compute_id, properties = {} } = request;
  const doing = begin("create");
  const node = await storeNew(access, project_id, node_id, request.name, async () => {
    await findPeer(compute_id, project_id);
    // The interface has no such types: it is how the service names its own.
    if (hasImage(node_type)) throw failure("node.type-not-runnable", { node_type, supported: "docker" });
    const own = await withIouNumber(request, withoutNulls(properties));
    return {
      isNumbered: false,
      console: null,
      async make(identity) {
        const asRequested = { ...request, console_type: request.console_type ?? null };
        const hardware = { properties: own, ports: [] };
        const item = await makeNodeItem(
          identity,
          asRequested,
          node_type as KnownType,
          hardware,
          request.console ?? null,
        );
        return { ...item, status: "stopped", doing };
      },
    };
  });
  if (node.doing?.id === doing.id) return carryOutCreation(access, node);
  return readSettled(access, project_id, node_id);
}
