/** Makes a node from a request and stores it. */
import type { Access } from "../edge/access.ts";
import { failure } from "../edge/errors.ts";
import { LOCAL_COMPUTE } from "../edge/local-compute.ts";
import { hasConsole } from "../schemas/console-number.ts";
import type { NodeCreate } from "../schemas/node.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { makeHardware } from "./make-hardware.ts";
import { consoleTypeOf, emulatedType, isKnown, KNOWN_TYPES, makeNodeItem, NUMBERED } from "./node-item.ts";
import { storeNew } from "./store-new.ts";

/**
 * Stores a new node with a free name and a free number; returns the existing node if the project has one with this id.
 * @throws ApiError 400 for a name or properties that are invalid; `project.not-found`, `project.not-opened`, `compute.not-found`,
 *   `node.type-not-runnable`, `quota.nodes`, and those of a registered compute.
 */
export async function addNode(
  access: Access,
  project_id: string,
  node_id: string,
  request: NodeCreate,
): Promise<NodeItem> {
  if (request.compute_id !== LOCAL_COMPUTE.id) {
    // Loaded on first use: most nodes are simulated.
    return (await import("./add-real-node.ts")).addRealNode(access, project_id, node_id, request);
  }
  const type = emulatedType(request);
  const hardware = isKnown(type) ? await makeHardware(type, request.properties) : undefined;
  return storeNew(access, project_id, node_id, request.name, async () => {
    if (!isKnown(type) || hardware === undefined) {
      throw failure("node.type-not-runnable", { node_type: type, supported: KNOWN_TYPES.join(", ") });
    }
    return {
      isNumbered: NUMBERED.has(type),
      console: hasConsole(consoleTypeOf(request, type)) ? (request.console ?? undefined) : null,
      make: (own, console) => makeNodeItem(own, request, type, hardware, console),
    };
  });
}
