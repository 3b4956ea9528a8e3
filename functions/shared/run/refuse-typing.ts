/** Whether a client can type at a node. Apart from the run itself, because a console opens without the code of runs. */
import { hasConsole } from "@wirelab/engine/devices/find-kind";
import { failure } from "../edge/errors.ts";
import { isOnCompute, type NodeItem } from "../store/lab/node.ts";

/** @throws ApiError `node.on-compute`, `node.no-console` */
export function refuseWithoutConsole(node: NodeItem): void {
  const { name, document } = node;
  const { node_type, compute_id } = document;
  if (isOnCompute(node)) throw failure("node.on-compute", { name, compute_id });
  if (!hasConsole(node_type)) throw failure("node.no-console", { node_type });
}

/** @throws ApiError `node.on-compute`, `node.no-console`, `node.not-started` */
export function refuseTyping(node: NodeItem): void {
  refuseWithoutConsole(node);
  if (node.status !== "started") throw failure("node.not-started", { name: node.name, status: node.status });
}
