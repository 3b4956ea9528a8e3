/** Actions on nodes of single emulators. A registered compute carries them out; the service itself runs no such nodes. */
import { callCompute } from "../shared/compute/call.ts";
import { peerOfNode } from "../shared/compute/find.ts";
import { nodePath } from "../shared/compute/paths.ts";
import type { Access } from "../shared/edge/access.ts";
import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { isOnCompute, type NodeItem } from "../shared/store/lab/node.ts";
import { readNode, shownType } from "./read-node.ts";
import type { group } from "./routes.ts";

type Routes = typeof group.routes;
type Emulator = "dynamips" | "qemu";

/** A compute tries values for minutes; the rest of the function's 300 s is for the response. */
const MEASURE_TIMEOUT_MS = 240_000;
const RESIZE_TIMEOUT_MS = 60_000;

/** @throws ApiError `node.type-not-emulated` for a node of another type, or one that is not on a registered compute. */
async function nodeOf(
  access: Access,
  { project_id, node_id }: { readonly project_id: string; readonly node_id: string },
  needed: Emulator,
): Promise<NodeItem> {
  const node = await readNode(access, project_id, node_id);
  const node_type = shownType(node);
  if (!isOnCompute(node) || node_type !== needed)
    throw failure("node.type-not-emulated", { name: node.name, node_type, needed });
  return node;
}

const measure =
  (what: "auto_idlepc" | "idlepc_proposals"): Operation<Routes["findIdlePc"]> =>
  async ({ access, params }) => {
    const node = await nodeOf(access, params, "dynamips");
    const path = `${nodePath(node)}/${what}`;
    const body = await callCompute(await peerOfNode(node), {
      method: "GET",
      path,
      timeoutMs: MEASURE_TIMEOUT_MS,
    });
    return { status: 200, body };
  };

export const findIdlePc = measure("auto_idlepc");
export const listIdlePcs = measure("idlepc_proposals");

export const resizeDisk: Operation<Routes["resizeDisk"]> = async ({ access, params, body }) => {
  const node = await nodeOf(access, params, "qemu");
  const path = `${nodePath(node)}/resize_disk`;
  const call = { method: "POST", path, body, timeoutMs: RESIZE_TIMEOUT_MS } as const;
  await callCompute(await peerOfNode(node), call);
  return { status: 201 };
};
