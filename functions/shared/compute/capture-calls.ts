/** Starts and stops captures at the ends of links between nodes of computes. Each call can be repeated. */

import type { Access } from "../edge/access.ts";
import { failureOf } from "../edge/errors.ts";
import { REAL_LINK_ERRORS } from "../edge/own-errors/real-link.ts";
import { STALE, untilFresh } from "../store/base/transact.ts";
import { readItems } from "../store/contents/read.ts";
import { type CaptureItem, stopCapture } from "../store/lab/capture.ts";
import { removeUnstarted } from "../store/lab/capture-there.ts";
import { endLinkDeed, type LinkItem, type RunningCapture } from "../store/lab/link.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { callCompute } from "./call.ts";
import { computeTypeOf } from "./compute-types.ts";
import { findPeer } from "./find.ts";
import { captureFile, portPath } from "./paths.ts";
import type { Peer } from "./peer.ts";
import { isCode, isForgotten } from "./there.ts";

/**
 * Returns the end that captures: a device that is always on, because its capture is not cut off, else one that runs.
 * @param nodes those of the link's ends, in the link's order.
 * @throws ApiError `capture.no-running-node`
 */
export function capturingEnd(nodes: readonly NodeItem[]): RunningCapture["at"] & object {
  const running = nodes.filter(({ status }) => status === "started");
  const chosen = running.find(({ document }) => computeTypeOf(document.node_type).isAlwaysOn) ?? running[0];
  if (chosen === undefined) throw failureOf(REAL_LINK_ERRORS, "capture.no-running-node");
  return { node_id: chosen.node_id, compute_id: chosen.document.compute_id };
}

interface Port {
  readonly peer: Peer;
  readonly path: string;
}

/** @returns undefined when the node is gone. @throws ApiError `compute.not-found` */
async function portOf(
  access: Access,
  link: LinkItem,
  at: RunningCapture["at"] & object,
): Promise<Port | undefined> {
  const { nodes } = await readItems(access, link.project_id, { nodes: [at.node_id] });
  const node = nodes.get(at.node_id);
  const side = link.document.nodes.find(({ node_id }) => node_id === at.node_id);
  if (node === undefined || side === undefined) return undefined;
  return { peer: await findPeer(at.compute_id, link.project_id), path: portPath(node, side) };
}

/**
 * Starts the capture of a link that is stored with the deed `start_capture`.
 * @throws ApiError of the compute; then there is no such capture.
 */
export async function carryOutStart(access: Access, link: LinkItem): Promise<LinkItem> {
  const capture = link.capture!;
  let port: Port | undefined;
  try {
    port = await portOf(access, link, capture.at!);
    if (port === undefined) throw failureOf(REAL_LINK_ERRORS, "capture.no-running-node");
    await start(port, capture);
  } catch (error) {
    // A compute that did not answer may have started it.
    if (port && isCode(error, "compute.unreachable")) await stop(port).catch(() => {});
    await removeUnstarted(link);
    // The compute was restarted: the node does not run there.
    if (isForgotten(error)) throw failureOf(REAL_LINK_ERRORS, "capture.no-running-node");
    throw error;
  }
  const ended = await endLinkDeed(link, {});
  return ended === STALE ? { ...link, doing: undefined } : ended;
}

async function start(port: Port, capture: RunningCapture): Promise<void> {
  const { peer, path } = port;
  const body = { capture_file_name: captureFile(capture.capture_id), data_link_type: capture.data_link_type };
  const call = { method: "POST", path: `${path}/start_capture`, body } as const;
  try {
    await callCompute(peer, call);
  } catch (error) {
    if (!isCode(error, "compute.refused")) throw error;
    // A capture is running there: of an earlier attempt, or of a link that was deleted while the compute was away.
    await stop(port);
    await callCompute(peer, call);
  }
}

/** A node that its compute has forgotten, or a port without an NIO, does not capture. */
async function stop({ peer, path }: Port): Promise<void> {
  try {
    await callCompute(peer, { method: "POST", path: `${path}/stop_capture`, body: {} });
  } catch (error) {
    if (!isForgotten(error) && !isCode(error, "compute.refused")) throw error;
  }
}

/**
 * Stops the capture of a link that is stored with the deed `stop_capture`.
 * @returns the stopped capture, which is still on the compute; undefined when the link has none.
 * @throws ApiError of the compute; then the capture goes on.
 */
export async function carryOutStop(access: Access, link: LinkItem): Promise<CaptureItem | undefined> {
  const { capture } = link;
  try {
    const port = capture?.at && (await portIfThere(access, link, capture.at));
    if (port) await stop(port);
  } catch (error) {
    await endLinkDeed(link, {});
    throw error;
  }
  const stopped = capture && (await endCapture(access, link));
  await endLinkDeed(link, {});
  return stopped;
}

/** A compute that is no longer registered has nothing to stop. */
const portIfThere: typeof portOf = (access, link, at) =>
  portOf(access, link, at).catch((error: unknown) => {
    if (isCode(error, "compute.not-found")) return undefined;
    throw error;
  });

/** Stores that the compute has stopped the capture of a link. @returns undefined when another request has stored that. */
export function endCapture(access: Access, link: LinkItem): Promise<CaptureItem | undefined> {
  const { project_id, link_id, capture } = link;
  let current: LinkItem | undefined = link;
  return untilFresh(async () => {
    if (current?.capture?.capture_id !== capture?.capture_id || current === undefined) return undefined;
    const stopped = await stopCapture(current);
    if (stopped) return stopped;
    current = (await readItems(access, project_id, { links: [link_id] })).links.get(link_id);
    return STALE;
  });
}
