/** Calls about nodes, to the computes that have them. Each can be repeated: creating with an id that is in use returns what is there. */
import { ApiError } from "../edge/errors.ts";
import type { NodeStatus } from "../schemas/node.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { callCompute } from "./call.ts";
import { computeTypeOf } from "./compute-types.ts";
import { nodePath, nodesPath, projectPath } from "./paths.ts";
import type { Call, Peer } from "./peer.ts";
import { creationOf, settingsFor, statusIn } from "./settings.ts";

export type Power = "start" | "stop" | "suspend" | "reload";

/** The status after an action, for types whose compute does not return it. */
const AFTER: Readonly<Record<Power, NodeStatus>> = {
  start: "started",
  stop: "stopped",
  suspend: "suspended",
  reload: "started",
};

export const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);

/** A compute that was restarted, or a closed project: it has the nodes' files and not the nodes. */
export const isForgotten = (error: unknown): boolean => isCode(error, "compute.missing");

/** Disks are large; the function has 29 s. */
const COPY_TIMEOUT_MS = 20_000;

/** Announces the project; a compute returns the existing one. */
export const createProject = (peer: Peer, project_id: string): Promise<unknown> =>
  callCompute(peer, { method: "POST", path: "/projects", body: { name: project_id, project_id } });

/** Creates the node, and its project if that is not there. @returns the compute's answer. */
export async function createThere(peer: Peer, node: NodeItem): Promise<unknown> {
  const create: Call = { method: "POST", path: nodesPath(node), body: creationOf(node) };
  try {
    return await callCompute(peer, create);
  } catch (error) {
    if (!isForgotten(error)) throw error;
    await createProject(peer, node.project_id);
    return callCompute(peer, create);
  }
}

/**
 * Copies the files and disks of a node to another one of its compute, which is there.
 * @param restore makes a forgotten source again.
 */
export async function duplicateThere(
  peer: Peer,
  source: NodeItem,
  copy: NodeItem,
  restore: () => Promise<void>,
): Promise<void> {
  const call: Call = {
    method: "POST",
    path: `${nodePath(source)}/duplicate`,
    body: { destination_node_id: copy.node_id },
    timeoutMs: COPY_TIMEOUT_MS,
  };
  try {
    await callCompute(peer, call);
  } catch (error) {
    if (!isForgotten(error)) throw error;
    await restore();
    await callCompute(peer, call);
  }
}

/**
 * Starts, stops, suspends or reloads the node.
 * @param restore makes a forgotten node again.
 * @returns the status of the node.
 */
export async function switchThere(
  peer: Peer,
  node: NodeItem,
  power: Power,
  restore: () => Promise<void>,
): Promise<NodeStatus> {
  if (computeTypeOf(node.document.node_type).isAlwaysOn) return node.status;
  const call: Call = { method: "POST", path: `${nodePath(node)}/${power}`, body: {} };
  let answer: unknown;
  try {
    answer = await callCompute(peer, call);
  } catch (error) {
    if (!isForgotten(error)) throw error;
    await restore();
    answer = await callCompute(peer, call);
  }
  return statusIn(answer) ?? (await statusThere(peer, node)) ?? AFTER[power];
}

/** Returns undefined for types that cannot be read, such as Docker. */
export async function statusThere(
  peer: Peer,
  node: NodeItem,
  timeoutMs?: number,
): Promise<NodeStatus | undefined> {
  const call: Call = { method: "GET", path: nodePath(node), ...(timeoutMs !== undefined && { timeoutMs }) };
  try {
    return statusIn(await callCompute(peer, call));
  } catch (error) {
    if (isCode(error, "compute.unreachable")) throw error;
    return undefined;
  }
}

/** Sends the settings of the node. @returns the compute's answer. */
export async function updateThere(
  peer: Peer,
  node: NodeItem,
  restore: () => Promise<void>,
): Promise<unknown> {
  const call: Call = { method: "PUT", path: nodePath(node), body: settingsFor(node) };
  try {
    return await callCompute(peer, call);
  } catch (error) {
    if (!isForgotten(error)) throw error;
    await restore();
    return callCompute(peer, call);
  }
}

/** Deletes the node; one that is not there is deleted. */
export async function deleteThere(peer: Peer, node: NodeItem): Promise<void> {
  try {
    await callCompute(peer, { method: "DELETE", path: nodePath(node) });
  } catch (error) {
    if (!isForgotten(error)) throw error;
  }
}

/** Closes or deletes the project; one that is not there is closed and deleted. */
export async function leaveProject(peer: Peer, project_id: string, how: "close" | "delete"): Promise<void> {
  const path = projectPath(project_id);
  try {
    if (how === "close") await callCompute(peer, { method: "POST", path: `${path}/close` });
    else await callCompute(peer, { method: "DELETE", path });
  } catch (error) {
    if (!isForgotten(error)) throw error;
  }
}
