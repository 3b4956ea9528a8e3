/**
 * Follows a capture that a compute records: sends on what the compute streams, with the capture's options. A stream that breaks off is
 * opened again, and what has been sent is left out.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { headerOf } from "@wirelab/engine/link/capture-header";
import { open } from "../shared/compute/call.ts";
import { findPeer } from "../shared/compute/find.ts";
import { portPath } from "../shared/compute/paths.ts";
import type { Peer } from "../shared/compute/peer.ts";
import { isForgotten } from "../shared/compute/there.ts";
import { readAllThere, recorded } from "../shared/compute-capture/capture-file.ts";
import { Recording } from "../shared/compute-capture/recording.ts";
import type { Access } from "../shared/edge/access.ts";
import { STREAM_MAX_BYTES } from "../shared/edge/stream-limit.ts";
import { readItems } from "../shared/store/contents/read.ts";
import type { LinkItem, RunningCapture } from "../shared/store/lab/link.ts";
import { existingNode } from "../shared/store/lab/node.ts";
import type { Bounds } from "./bounds.ts";

/** Between two looks at the bounds, and between two attempts to open the compute's stream. */
const PAUSE_MS = 1500;

interface Followed {
  readonly peer: Peer;
  readonly path: string;
  readonly capture: Parameters<typeof readAllThere>[0];
}

/** @throws ApiError those of the compute, if it refuses or does not answer the first time. */
export async function* followThere(
  access: Access,
  link: LinkItem,
  running: RunningCapture,
  bounds: Bounds,
): AsyncGenerator<Uint8Array> {
  const followed = await findFollowed(access, link, running);
  const over = new AbortController();
  // A lease that cannot be read ends the stream, too.
  const watching = watch(bounds, over).catch(() => over.abort());
  const position = new Position();
  try {
    yield* within(position, follow(access, link, followed, position, over.signal));
  } finally {
    over.abort();
    await watching;
  }
}

/** Where the client is in the file. */
class Position {
  sent = 0;

  /** Yields what the client does not have yet of a reading that begins with the file's first byte. */
  async *rest(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let at = 0;
    for await (const chunk of file) {
      const known = Math.min(chunk.length, Math.max(0, this.sent - at));
      at += chunk.length;
      if (known < chunk.length) yield chunk.subarray(known);
    }
  }
}

async function* within(position: Position, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    if (position.sent + chunk.length > STREAM_MAX_BYTES) return;
    position.sent += chunk.length;
    yield chunk;
  }
}

async function* follow(
  access: Access,
  link: LinkItem,
  followed: Followed,
  position: Position,
  over: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  while (!over.aborted) {
    try {
      yield* position.rest(await openStream(followed, over));
    } catch (error) {
      if (over.aborted) return;
      // A compute creates the file with the first packets.
      if (isFirst && !isForgotten(error) && position.sent === 0) throw error;
      if (position.sent === 0) yield headerOf(followed.capture);
    }
    isFirst = false;
    if (over.aborted) return;
    if (!(await isRunning(access, link, followed))) {
      // The compute's stream ends with the capture, before it has sent everything.
      yield* position.rest(untilFault(readAllThere(followed.capture)));
      return;
    }
    await sleep(PAUSE_MS, undefined, { signal: over }).catch(() => undefined);
  }
}

/** The response has begun, so an error cannot be reported any more. */
async function* untilFault(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch {
    // The client has the packets before.
  }
}

async function openStream({ peer, path, capture }: Followed, signal: AbortSignal) {
  const recording = await Recording.make(capture);
  const response = await open(peer, { method: "GET", path, idleMs: 0, signal });
  return withHeader(headerOf(capture), recorded(peer, capture, response, recording));
}

async function* withHeader(
  header: Uint8Array,
  records: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield header;
  yield* records;
}

async function findFollowed(access: Access, link: LinkItem, running: RunningCapture): Promise<Followed> {
  const { project_id, document } = link;
  const { node_id, compute_id } = running.at!;
  const { nodes } = await readItems(access, project_id, { nodes: [node_id] });
  const node = existingNode(nodes.get(node_id), node_id);
  const side = document.nodes.find((each) => each.node_id === node_id)!;
  const peer = await findPeer(compute_id, project_id);
  return { peer, path: `${portPath(node, side)}/pcap`, capture: { ...running, project_id } };
}

async function isRunning(
  access: Access,
  { project_id, link_id }: LinkItem,
  { capture }: Followed,
): Promise<boolean> {
  const { links } = await readItems(access, project_id, { links: [link_id] });
  return links.get(link_id)?.capture?.capture_id === capture.capture_id;
}

/** Aborts when the client is gone, the time is over, or a newer follower has evicted this one. */
async function watch({ gone, hasTime, lease }: Bounds, over: AbortController): Promise<void> {
  const end = AbortSignal.any([gone, over.signal]);
  while (!end.aborted && hasTime() && ((await lease?.isHeld()) ?? true)) {
    await sleep(PAUSE_MS, undefined, { signal: end }).catch(() => undefined);
  }
  over.abort();
}
