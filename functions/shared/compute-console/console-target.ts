/** Where a registered compute has the console of a node. */
import { isIPv6, type LookupFunction } from "node:net";
import { addressesOf, basic } from "../compute/call.ts";
import { findPeer } from "../compute/find.ts";
import { failure } from "../edge/errors.ts";
import type { NodeItem } from "../store/lab/node.ts";
import type { ConsoleTarget } from "./compute-console.ts";

/** A client opens other kinds of consoles, such as VNC, at the compute. @throws ApiError `node.no-console`, `node.not-started` */
export function refuseTypingThere({ name, status, document: { console_type, node_type } }: NodeItem): void {
  if (console_type !== "telnet") throw failure("node.no-console", { node_type });
  if (status !== "started") throw failure("node.not-started", { name, status });
}

/** @throws ApiError `compute.not-found`, `compute.address-refused`, `compute.unreachable` */
export async function consoleTarget({ project_id, node_id, document }: NodeItem): Promise<ConsoleTarget> {
  const peer = await findPeer(document.compute_id);
  const addresses = await addressesOf(peer);
  const lookup: LookupFunction = (_host, _options, done) => done(null, addresses);
  const scheme = peer.protocol === "https" ? "wss" : "ws";
  const host = isIPv6(peer.host) ? `[${peer.host}]` : peer.host;
  const path = `/v2/compute/projects/${project_id}/${document.node_type}/nodes/${node_id}/console/ws`;
  return { url: `${scheme}://${host}:${peer.port}${path}`, headers: basic(peer), lookup, name: peer.name };
}
