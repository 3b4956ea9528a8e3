/** Which nodes an action of power changes, and which it cannot. */
import type { PowerAction } from "@wirelab/engine/simulation/sim-node";
import { failure } from "../shared/edge/errors.ts";
import { isRecordType } from "../shared/schemas/node.ts";
import { isOnCompute, type NodeItem } from "../shared/store/lab/node.ts";

/** Properties of emulators that name an image, a program or a machine. */
const IMAGES = ["image", "path", "hda_disk_image", "linked_base", "vmname", "vmx_path"];

/** What a node needs to run: `dynamips node, with c3725.image,`. */
function describeNeed({ document: { node_type, properties } }: NodeItem): string {
  const image = IMAGES.map((key) => properties[key]).find(
    (value) => typeof value === "string" && value !== "",
  );
  return image === undefined ? `${node_type} node` : `${node_type} node with ${image}`;
}

/** Returns whether the action changes the node. */
export function isAffected(node: NodeItem, action: PowerAction): boolean {
  const { status, document } = node;
  if (isRecordType(document.node_type) || isOnCompute(node)) return false;
  switch (action) {
    case "start":
      return status !== "started";
    case "stop":
      return status !== "stopped";
    case "suspend":
      return status === "started";
    case "reload":
      return true;
  }
}

/** @throws ApiError `node.needs-compute`, `node.on-compute` */
export function refuseStart(node: NodeItem, action: PowerAction): void {
  if (isOnCompute(node)) {
    throw failure("node.on-compute", { name: node.name, compute_id: node.document.compute_id });
  }
  const { node_type } = node.document;
  if (isRecordType(node_type) && (action === "start" || action === "reload")) {
    throw failure("node.needs-compute", { name: node.name, what: describeNeed(node) });
  }
}
