/** Stores what happens to a node on its compute without a request, such as the end of its process. */
import type { Peer } from "../compute/peer.ts";
import { statusIn } from "../compute/settings.ts";
import { isCode, statusThere } from "../compute/there.ts";
import { SERVICE } from "../edge/access.ts";
import type { NodeStatus } from "../schemas/node.ts";
import { type NodeItem, noteStatus } from "../store/lab/node.ts";
import { getNode } from "../store/lab/real-nodes.ts";
import { getProject } from "../store/project/project.ts";

export interface Reporter {
  readonly compute_id: string;
  readonly peer: Peer;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (value: unknown): value is string => typeof value === "string" && UUID.test(value);

/**
 * @param event of `node.updated`: the node as its compute has it. It may be older than what a request has done since, so the compute is
 *   asked again before the status is stored; if it does not answer, the event counts.
 * @returns whether the status of the node has changed.
 */
export async function noteNode(
  { compute_id, peer }: Reporter,
  event: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { project_id, node_id } = event;
  const said = statusIn(event);
  if (said === undefined || !isUuid(project_id) || !isUuid(node_id)) return false;
  const node = await getNode(project_id, node_id);
  if (node === undefined || node.document.compute_id !== compute_id) return false;
  if (node.doing !== undefined || node.status === said) return false;
  const project = await getProject(SERVICE, project_id);
  if (project?.status !== "opened" || project.deleting) return false;
  const status = (await ask(peer, node)) ?? said;
  return status !== node.status && noteStatus(node, status);
}

/** Stores the status of a node that the compute has now: the node may have changed while no function followed the compute. */
export async function catchUp(reporter: Reporter, { project_id, node_id }: NodeItem): Promise<boolean> {
  const node = await getNode(project_id, node_id);
  if (node === undefined || node.doing !== undefined) return false;
  const status = await ask(reporter.peer, node);
  return status !== undefined && noteNode(reporter, { project_id, node_id, status });
}

const PATIENCE_MS = 3_000;

/** @returns undefined if the compute does not answer: one of GNS3 2.2 may be busy for long when a process of a node has been killed. */
async function ask(peer: Peer, node: NodeItem): Promise<NodeStatus | undefined> {
  return statusThere(peer, node, PATIENCE_MS).catch((error: unknown) => {
    if (!isCode(error, "compute.unreachable")) throw error;
    return undefined;
  });
}
