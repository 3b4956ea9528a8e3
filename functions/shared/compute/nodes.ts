/**
 * Nodes of registered computes.
 *
 *     note what is done in the node's item   if another function does something, wait for it, or finish what it left
 *     call the compute
 *     store the outcome, remove the note
 *
 * A function that dies after the first step leaves the note; the next request that acts on the node finishes the work.
 */
import type { Access } from "../edge/access.ts";
import { forEachParallel } from "../store/base/parallel.ts";
import { STALE, untilFresh } from "../store/base/transact.ts";
import { deleteNode, refuseLocked } from "../store/contents/delete-node.ts";
import { readItems } from "../store/contents/read.ts";
import { type Deed, isUnderWay } from "../store/lab/doing.ts";
import { beginDeed, endDeed, existingNode, type NodeItem } from "../store/lab/node.ts";
import { openedProject } from "../store/project/project.ts";
import { stopCapturesOf } from "./captures.ts";
import { peerOfNode } from "./find.ts";
import { restoreNode, unplugPeers } from "./links.ts";
import type { Peer } from "./peer.ts";
import { merged, statusIn } from "./settings.ts";
import {
  createThere,
  deleteThere,
  duplicateThere,
  isCode,
  type Power,
  switchThere,
  updateThere,
} from "./there.ts";

/** Reads a node, after it has finished what a function that died was doing with it; waits for one that lives. */
export function readSettled(access: Access, projectId: string, nodeId: string): Promise<NodeItem> {
  return untilFresh(async () => {
    const found = await readItems(access, projectId, { nodes: [nodeId] });
    openedProject(found.project, projectId);
    const node = existingNode(found.nodes.get(nodeId), nodeId);
    if (node.doing === undefined) return node;
    if (!isUnderWay(node.doing)) await finishNode(access, node);
    return STALE;
  });
}

/** Takes over what a function that died was doing, and does it to its end. */
async function finishNode(access: Access, node: NodeItem): Promise<void> {
  const what = node.doing!.what;
  const taken = await beginDeed(node, what);
  if (taken === STALE) return;
  if (what === "create") await carryOutCreation(access, taken);
  else if (what === "delete") await carryOutDeletion(access, taken);
  else if (what === "move") await (await import("./put-back.ts")).putBack(access, taken);
  // The stored settings are those before the change.
  else if (what === "update") await carryOut(taken, async (peer) => update(access, peer, taken));
  else
    await carryOut(taken, (peer) =>
      power(access, peer, taken, what === "reload" ? "start" : (what as Power)),
    );
}

/** Notes a deed of a node that no other function is at work with. */
async function undertake(access: Access, projectId: string, nodeId: string, what: Deed): Promise<NodeItem> {
  return untilFresh(async () => beginDeed(await readSettled(access, projectId, nodeId), what));
}

type Outcome = Partial<Pick<NodeItem, "document" | "status">>;

/** Calls the compute and stores the outcome; if the compute refuses or is away, the node is as before. */
async function carryOut(node: NodeItem, work: (peer: Peer) => Promise<Outcome>): Promise<NodeItem> {
  let outcome: Outcome;
  try {
    outcome = await work(await peerOfNode(node));
  } catch (error) {
    await endDeed(node, {});
    throw error;
  }
  const ended = await endDeed(node, outcome);
  // Another request took over, and ends with the same outcome.
  return ended === STALE ? { ...node, ...outcome } : ended;
}

const update = async (access: Access, peer: Peer, node: NodeItem): Promise<Outcome> => {
  const answer = await updateThere(peer, node, () => restoreNode(access, node));
  return { document: merged(node, answer, peer.host) };
};

async function power(access: Access, peer: Peer, node: NodeItem, action: Power): Promise<Outcome> {
  return { status: await switchThere(peer, node, action, () => restoreNode(access, node)) };
}

/**
 * Creates on its compute a node that is stored with the deed `create`.
 * @throws ApiError of the compute; then the node is gone.
 */
export async function carryOutCreation(access: Access, node: NodeItem): Promise<NodeItem> {
  let answer: unknown;
  let peer: Peer | undefined;
  try {
    peer = await peerOfNode(node);
    answer = await createThere(peer, node);
    if (node.doing?.source !== undefined) await copyFiles(access, peer, node, node.doing.source);
  } catch (error) {
    if (!(await isStillOurs(access, node))) throw error;
    // A compute that did not answer may have created it, and one that does not copy the files has.
    if (peer && (answer || isCode(error, "compute.unreachable")))
      await deleteThere(peer, node).catch(() => {});
    await remove(access, node);
    throw error;
  }
  const outcome = {
    document: merged(node, answer, peer.host),
    status: statusIn(answer) ?? "stopped",
  } as const;
  const ended = await endDeed(node, outcome);
  return ended === STALE ? { ...node, ...outcome } : ended;
}

/** @throws ApiError `node.not-found` when the original has been deleted meanwhile, and those of the compute. */
async function copyFiles(access: Access, peer: Peer, copy: NodeItem, sourceId: string): Promise<void> {
  const { nodes } = await readItems(access, copy.project_id, { nodes: [sourceId] });
  const source = existingNode(nodes.get(sourceId), sourceId);
  await duplicateThere(peer, source, copy, () => restoreNode(access, source));
}

/** Returns whether no other request has taken over what is being done. */
async function isStillOurs(access: Access, { project_id, node_id, doing }: NodeItem): Promise<boolean> {
  const { nodes } = await readItems(access, project_id, { nodes: [node_id] });
  return nodes.get(node_id)?.doing?.id === doing?.id;
}

/** Removes the items of a node, unless another request has removed them. */
async function remove(access: Access, { project_id, node_id }: NodeItem): Promise<void> {
  await deleteNode(access, project_id, node_id, () => {}).catch((error: unknown) => {
    if (!isCode(error, "node.not-found")) throw error;
  });
}

/** Returns the peer; undefined when the compute is no longer registered, and with it all that it has. */
async function peerIfThere(node: NodeItem): Promise<Peer | undefined> {
  return peerOfNode(node).catch((error: unknown) => {
    if (isCode(error, "compute.not-found")) return undefined;
    throw error;
  });
}

async function carryOutDeletion(access: Access, node: NodeItem): Promise<void> {
  try {
    const peer = await peerIfThere(node);
    if (peer) await deleteThere(peer, node);
  } catch (error) {
    await endDeed(node, {});
    throw error;
  }
  await unplugPeers(access, node);
  await remove(access, node);
}

/** @throws ApiError `node.locked`, those of a project and a node, and of the compute. */
export async function deleteRealNode(access: Access, projectId: string, nodeId: string): Promise<void> {
  const node = await untilFresh(async () => {
    const found = await readItems(access, projectId, { nodes: [nodeId] });
    openedProject(found.project, projectId);
    const read = existingNode(found.nodes.get(nodeId), nodeId);
    refuseLocked(read);
    return isUnderWay(read.doing) ? STALE : beginDeed(read, "delete");
  });
  await carryOutDeletion(access, node);
}

/** Starts, stops, suspends or reloads a node. */
export async function switchRealNode(
  access: Access,
  projectId: string,
  nodeId: string,
  action: Power,
): Promise<NodeItem> {
  if (action !== "start") await stopCapturesOf(access, await readSettled(access, projectId, nodeId));
  const node = await undertake(access, projectId, nodeId, action);
  return carryOut(node, (peer) => power(access, peer, node, action));
}

/** As GNS3: a compute starts few nodes at once. */
const PARALLEL = 3;

/** Switches several nodes; tries all of them before it throws the first error. */
export async function switchRealNodes(
  access: Access,
  nodes: readonly Pick<NodeItem, "project_id" | "node_id">[],
  action: Power,
): Promise<void> {
  const errors: unknown[] = [];
  await forEachParallel(nodes, PARALLEL, async ({ project_id, node_id }) => {
    await switchRealNode(access, project_id, node_id, action).catch((error: unknown) => errors.push(error));
  });
  if (errors.length > 0) throw errors[0];
}

/**
 * Sends the settings of a changed node to its compute.
 * @param before the node with the deed `update`.
 * @returns the settings as the compute has them. If it throws, the deed has ended, and the node is as before.
 */
export async function sendSettings(
  access: Access,
  before: NodeItem,
  after: NodeItem,
): Promise<NodeItem["document"]> {
  try {
    const peer = await peerOfNode(before);
    const answer = await updateThere(peer, after, () => restoreNode(access, before));
    return merged(after, answer, peer.host);
  } catch (error) {
    await endDeed(before, {});
    throw error;
  }
}
