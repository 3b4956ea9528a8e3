/** Links between nodes of registered computes; intents and outcomes as in nodes.ts. */
import type { Access } from "../edge/access.ts";
import { failure, failureOf } from "../edge/errors.ts";
import { REAL_LINK_ERRORS } from "../edge/own-errors/real-link.ts";
import { STALE, untilFresh } from "../store/base/transact.ts";
import { readItems } from "../store/contents/read.ts";
import { listCaptures, removing } from "../store/lab/capture.ts";
import { isUnderWay } from "../store/lab/doing.ts";
import {
  beginLinkDeed,
  endLinkDeed,
  existingLink,
  type LinkDocument,
  type LinkItem,
  pauseLinkDeed,
  deleteLink as removeLink,
  updateLink as storeLink,
} from "../store/lab/link.ts";
import { isOnCompute, type NodeItem, setNodeStatuses } from "../store/lab/node.ts";
import { openedProject } from "../store/project/project.ts";
import { carryOutStart, carryOutStop, endCapture } from "./capture-calls.ts";
import { peerOfNode } from "./find.ts";
import { createThere, isCode } from "./there.ts";
import { connectThere, disconnectThere, type End, type Ends, tuneThere } from "./tunnel.ts";

/** @throws ApiError `link.real-and-virtual` when one end is simulated and the other runs on a compute. */
export function refuseMixed(nodes: readonly NodeItem[]): void {
  const real = nodes.find(isOnCompute);
  const simulated = nodes.find((node) => !isOnCompute(node));
  if (real && simulated)
    throw failureOf(REAL_LINK_ERRORS, "link.real-and-virtual", {
      real: real.name,
      simulated: simulated.name,
    });
}

/** Returns the ends of a link whose computes are registered, in the link's order. */
async function endsOf(access: Access, link: LinkItem): Promise<End[]> {
  const sides = link.document.nodes;
  const { nodes } = await readItems(access, link.project_id, { nodes: sides.map((side) => side.node_id) });
  const ends: End[] = [];
  for (const side of sides) {
    const node = nodes.get(side.node_id);
    if (node === undefined) continue;
    ends.push({ node, side, peer: await peerOfNode(node) });
  }
  return ends;
}

async function bothEnds(access: Access, link: LinkItem): Promise<Ends> {
  const [first, second] = await endsOf(access, link);
  if (first === undefined || second === undefined) throw failure("link.not-found", { link_id: link.link_id });
  return [first, second];
}

/** The ends that can be called: a compute that is no longer registered has nothing to remove. */
async function endsLeft(access: Access, link: LinkItem): Promise<End[]> {
  const { nodes } = await readItems(access, link.project_id, {
    nodes: link.document.nodes.map((side) => side.node_id),
  });
  const ends: End[] = [];
  for (const side of link.document.nodes) {
    const node = nodes.get(side.node_id);
    const peer =
      node &&
      (await peerOfNode(node).catch((error: unknown) => {
        if (!isCode(error, "compute.not-found")) throw error;
      }));
    if (node && peer) ends.push({ node, side, peer });
  }
  return ends;
}

/** Reads a link, after it has finished what a function that died was doing with it; waits for one that lives. */
export function readSettledLink(access: Access, projectId: string, linkId: string): Promise<LinkItem> {
  return untilFresh(async () => {
    const found = await readItems(access, projectId, { links: [linkId] });
    openedProject(found.project, projectId);
    const link = existingLink(found.links.get(linkId), linkId);
    if (link.doing === undefined) return link;
    if (!isUnderWay(link.doing)) await finishLink(access, link);
    return STALE;
  });
}

/** Takes over what a function that died was doing, and does it to its end. */
async function finishLink(access: Access, link: LinkItem): Promise<void> {
  const { what } = link.doing!;
  const taken = await beginLinkDeed(link, what);
  if (taken === STALE) return;
  if (what === "start_capture") await carryOutStart(access, taken);
  else if (what === "stop_capture") await carryOutStop(access, taken);
  // A link that was connected before keeps its captures if its computes refuse.
  else if (what === "connect" && taken.tunnel !== undefined)
    await carryOutReconnection(access, taken, (end) => restoreNode(access, end.node, taken.link_id));
  else if (what === "connect") await carryOutConnection(access, taken);
  else if (what === "disconnect") await carryOutDisconnection(access, taken);
  else {
    // The stored settings are those before the change.
    const before = taken.document;
    await pausing(taken, async () =>
      tuneThere(await bothEnds(access, taken), taken.tunnel ?? [], before, before),
    );
    await endLinkDeed(taken, {});
  }
}

/** Does a step of a deed; if the step fails, the deed can be taken over at once. */
async function pausing<T>(link: LinkItem, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    await pauseLinkDeed(link);
    throw error;
  }
}

/**
 * Connects a link that is stored with the deed `connect`.
 * @throws ApiError of a compute; then the link is gone.
 */
async function carryOutConnection(access: Access, link: LinkItem): Promise<LinkItem> {
  let tunnel: LinkItem["tunnel"];
  try {
    const ends = await bothEnds(access, link);
    tunnel = await connectThere(ends, link.document, (end) => restoreNode(access, end.node, link.link_id));
  } catch (error) {
    await remove(access, link);
    throw error;
  }
  const ended = await endLinkDeed(link, { tunnel });
  return ended === STALE ? { ...link, tunnel, doing: undefined } : ended;
}

/** Connects a new link, or finishes what a request that died has begun with it. */
export async function connect(access: Access, link: LinkItem): Promise<LinkItem> {
  if (link.revision === 1 && isUnderWay(link.doing)) return carryOutConnection(access, link);
  return readSettledLink(access, link.project_id, link.link_id);
}

/** Removes the items of a link, unless another request has removed them. */
async function remove(access: Access, { project_id, link_id, doing }: LinkItem): Promise<void> {
  await untilFresh(async () => {
    const link = (await readItems(access, project_id, { links: [link_id] })).links.get(link_id);
    // Another request has removed it, or has taken over what is being done.
    if (link === undefined || link.doing?.id !== doing?.id) return true;
    const going = removing(await listCaptures(project_id, link_id), [link]);
    return (going && (await removeLink(link, going))) || STALE;
  });
}

async function carryOutDisconnection(access: Access, link: LinkItem): Promise<void> {
  await pausing(link, async () => disconnectThere(await endsLeft(access, link)));
  await remove(access, link);
}

/** Notes that a link is being deleted and removes its tunnel. The caller deletes the link. @throws ApiError of a compute that is away. */
export async function disconnect(access: Access, projectId: string, linkId: string): Promise<void> {
  const link = await untilFresh(async () => {
    const found = await readItems(access, projectId, { links: [linkId] });
    openedProject(found.project, projectId);
    const read = existingLink(found.links.get(linkId), linkId);
    return isUnderWay(read.doing) ? STALE : beginLinkDeed(read, "disconnect");
  });
  await pausing(link, async () => disconnectThere(await endsLeft(access, link)));
}

/** Sends changed filters and suspension, then stores the link. @throws ApiError of a compute; then the link is as before. */
export async function tune(
  access: Access,
  link: LinkItem,
  after: LinkDocument,
): Promise<LinkItem | typeof STALE> {
  const begun = await beginLinkDeed(link, "tune");
  if (begun === STALE) return STALE;
  try {
    await tuneThere(await bothEnds(access, begun), begun.tunnel ?? [], after, link.document);
  } catch (error) {
    await endLinkDeed(begun, {});
    throw error;
  }
  return storeLink(begun, after);
}

/** Removes the other ends of a deleted node's links, where their computes answer; a new NIO replaces one that is left. */
export async function unplugPeers(access: Access, node: NodeItem): Promise<void> {
  const ids = Object.values(node.links).map((end) => end!.link_id);
  if (ids.length === 0) return;
  const { links } = await readItems(access, node.project_id, { links: ids });
  for (const link of links.values()) {
    const ends = await endsLeft(access, link);
    await disconnectThere(ends.filter((end) => end.node.node_id !== node.node_id)).catch(() => {});
  }
}

/**
 * Creates a node again on a compute that has forgotten it, and connects its links; likewise nodes at their other ends.
 * @param except a link that the caller connects.
 */
export async function restoreNode(access: Access, node: NodeItem, except?: string): Promise<void> {
  const left = [node];
  const connected = new Set(except === undefined ? [] : [except]);
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    await createThere(await peerOfNode(next), next);
    // It does not run there any more; the caller may start it next.
    await setNodeStatuses([next], "stopped");
    const ids = Object.values(next.links).map((end) => end!.link_id);
    const { links } =
      ids.length === 0 ? { links: new Map() } : await readItems(access, next.project_id, { links: ids });
    for (const link of links.values() as Iterable<LinkItem>) {
      if (connected.has(link.link_id) || link.tunnel === undefined) continue;
      connected.add(link.link_id);
      await reconnect(access, link, (forgotten) => left.push(forgotten));
    }
  }
}

async function reconnect(
  access: Access,
  link: LinkItem,
  onForgotten: (node: NodeItem) => void,
): Promise<void> {
  if (isUnderWay(link.doing)) return;
  const begun = await beginLinkDeed(link, "connect");
  if (begun === STALE) return;
  await carryOutReconnection(access, begun, async (end) => {
    await createThere(end.peer, end.node);
    onForgotten(end.node);
  });
}

async function carryOutReconnection(
  access: Access,
  link: LinkItem,
  restore: (end: End) => Promise<void>,
): Promise<void> {
  await pausing(link, async () => {
    // New NIOs do not capture.
    if (link.capture !== undefined) await endCapture(access, link);
    const tunnel = await connectThere(await bothEnds(access, link), link.document, restore);
    await endLinkDeed(link, { tunnel });
  });
}
