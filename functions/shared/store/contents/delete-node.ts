/** Deletion of a node with its links and their captures. */
import type { Access } from "../../edge/access.ts";
import { failure } from "../../edge/errors.ts";
import { discardObjects } from "../base/objects.ts";
import { holdsAll, MAX_TRANSACTION_ITEMS, STALE, type Transaction, untilFresh } from "../base/transact.ts";
import {
  type CaptureItem,
  discardPackets,
  listCaptures,
  removeCaptures,
  removing,
  stopCapture,
} from "../lab/capture.ts";
import { guestKeysOf } from "../lab/guest-state.ts";
import { type LinkItem, removeLink, removeLinkAsRead } from "../lab/link.ts";
import { existingNode, freePorts, NODE_STEPS, type NodeItem, removeNode } from "../lab/node.ts";
import { discount, openedProject } from "../project/project.ts";
import { readItems } from "./read.ts";

/** A link, and at most one node at its other end. */
const ITEMS_PER_LINK = 2;
/** The surplus of links above this is removed in transactions of its own before the node. */
const MAX_LINKS = Math.floor((MAX_TRANSACTION_ITEMS - NODE_STEPS) / ITEMS_PER_LINK);

/**
 * Deletes a node, its links and their captures.
 * @param isWanted checks the node as it is just before it is deleted.
 * @throws ApiError `project.not-found`, `project.not-opened`, `node.not-found`, and any error of `isWanted`.
 */
export async function deleteNode(
  access: Access,
  project_id: string,
  node_id: string,
  isWanted: (node: NodeItem) => void,
): Promise<void> {
  await untilFresh(async () => {
    const found = await readItems(access, project_id, { nodes: [node_id] });
    openedProject(found.project, project_id);
    const node = existingNode(found.nodes.get(node_id), node_id);
    isWanted(node);
    const ids = Object.values(node.links).map((end) => end!.link_id);
    // Links are read before their captures: a capture that starts meanwhile changes its link.
    const links = ids.length === 0 ? [] : await readLinks(access, project_id, ids);
    const captures = ids.length === 0 ? [] : await listCaptures(project_id);
    const going = captures.filter((capture) => ids.includes(capture.link_id));
    const items = NODE_STEPS + ids.length * ITEMS_PER_LINK + going.length;
    if (items <= MAX_TRANSACTION_ITEMS) {
      if (!(await removeAtOnce(node, links, going))) return STALE;
      await discardPackets(going);
    } else {
      const gone = (await stopAndRemove(access, project_id, going)) && (await removeWithLinks(node));
      if (!gone) return STALE;
    }
    const keys = guestKeysOf([node]);
    if (keys.length > 0) await discardObjects(keys);
    return node;
  });
}

/** @throws ApiError `node.locked` */
export function refuseLocked({ name, document }: NodeItem): void {
  if (document.locked) throw failure("node.locked", { name });
}

async function readLinks(access: Access, projectId: string, ids: readonly string[]): Promise<LinkItem[]> {
  return [...(await readItems(access, projectId, { links: ids })).links.values()];
}

/** @returns false when something changed since it was read. */
async function removeAtOnce(
  node: NodeItem,
  links: readonly LinkItem[],
  captures: readonly CaptureItem[],
): Promise<boolean> {
  const own = Object.entries(node.links);
  const going = removing(captures, links);
  if (going === undefined || links.length < own.length) return false;
  const usage = { link_count: own.length, ...going.usage };
  const steps = [
    ...removeNode(node, usage),
    ...links.map(removeLinkAsRead),
    ...peerSteps(node.project_id, own),
    ...going.steps,
  ];
  return holdsAll(steps);
}

/** Removes more than one transaction can hold: captures before their links, so that an interrupted deletion can be repeated. */
async function stopAndRemove(
  access: Access,
  projectId: string,
  captures: readonly CaptureItem[],
): Promise<boolean> {
  if (captures.length === 0) return true;
  const running = captures.filter((capture) => capture.stopped_at === undefined);
  const { links } = await readItems(access, projectId, { links: running.map((capture) => capture.link_id) });
  for (const link of links.values()) {
    if (link.capture && (await stopCapture(link)) === undefined) return false;
  }
  await removeCaptures(captures);
  return true;
}

/** @returns false when the node or its links changed since they were read, or there was a surplus of links. */
async function removeWithLinks(node: NodeItem): Promise<boolean> {
  const links = Object.entries(node.links);
  for (let start = MAX_LINKS; start < links.length; start += MAX_LINKS) {
    const surplus = links.slice(start, start + MAX_LINKS);
    const own = new Map(surplus.map(([port, end]) => [port, end!.link_id]));
    const steps = [
      discount(node.project_id, { link_count: surplus.length }),
      ...stepsFor(node.project_id, surplus),
      freePorts(node.project_id, node.node_id, own),
    ];
    if (!(await holdsAll(steps))) return false;
  }
  if (links.length > MAX_LINKS) return false;
  const steps = [...removeNode(node, { link_count: links.length }), ...stepsFor(node.project_id, links)];
  return holdsAll(steps);
}

type PortEntry = [string, NodeItem["links"][string]];

const stepsFor = (projectId: string, links: readonly PortEntry[]): Transaction[] => [
  ...links.map(([, end]) => removeLink(projectId, end!.link_id)),
  ...peerSteps(projectId, links),
];

/** Returns steps that free the ports at the links' other ends; a peer with several links is written once. */
function peerSteps(projectId: string, links: readonly PortEntry[]): Transaction[] {
  const peers = new Map<string, Map<string, string>>();
  for (const [, end] of links) {
    const { link_id, peer_id, peer_port } = end!;
    if (peer_id === undefined || peer_port === undefined) continue;
    const ports = peers.get(peer_id) ?? new Map<string, string>();
    peers.set(peer_id, ports.set(peer_port, link_id));
  }
  return [...peers].map(([peer, ports]) => freePorts(projectId, peer, ports));
}
