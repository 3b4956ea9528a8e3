/** Files of nodes on registered computes, which keep them: `project-files/<type>/<node>/<path>` of the compute's project. */
import { callCompute, readBytes } from "../shared/compute/call.ts";
import { peerOfNode } from "../shared/compute/find.ts";
import { ApiError, failure } from "../shared/edge/errors.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";

function pathOf({ project_id, node_id, document }: NodeItem, name: string): string {
  const segments = ["project-files", document.node_type, node_id, ...name.split("/")];
  return `/projects/${project_id}/files/${segments.map(encodeURIComponent).join("/")}`;
}

/** @param name a path without `..`. @throws ApiError `node.file-not-found`, and those of a call to a compute. */
export async function readComputeFile(node: NodeItem, name: string): Promise<Uint8Array> {
  const peer = await peerOfNode(node);
  try {
    return await readBytes(peer, { method: "GET", path: pathOf(node, name) });
  } catch (error) {
    if (error instanceof ApiError && error.code === "compute.missing")
      throw failure("node.file-not-found", { path: name });
    throw error;
  }
}

/** @throws ApiError those of a call to a compute. */
export async function writeComputeFile(node: NodeItem, name: string, bytes: Uint8Array): Promise<void> {
  const peer = await peerOfNode(node);
  await callCompute(peer, { method: "POST", path: pathOf(node, name), body: bytes });
}
