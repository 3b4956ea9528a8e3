/** Where a registered compute has the console of a node. */
import { peerOfNode } from "../compute/find.ts";
import { nodePath } from "../compute/paths.ts";
import { type SocketTarget, socketTarget } from "../compute/socket-target.ts";
import { failure } from "../edge/errors.ts";
import type { NodeItem } from "../store/lab/node.ts";

/** A client opens other kinds of consoles, such as VNC, at the compute. @throws ApiError `node.no-console`, `node.not-started` */
export function refuseTypingThere({ name, status, document: { console_type, node_type } }: NodeItem): void {
  if (console_type !== "telnet") throw failure("node.no-console", { node_type });
  if (status !== "started") throw failure("node.not-started", { name, status });
}

/** @throws ApiError `compute.not-found`, `compute.address-refused`, `compute.unreachable`, `simvm.unavailable` */
export async function consoleTarget(node: NodeItem): Promise<SocketTarget> {
  const peer = await peerOfNode(node);
  return socketTarget(peer, `${nodePath(node)}/console/ws`);
}
