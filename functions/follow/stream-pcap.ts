/**
 * Follows a running capture. Each follower occupies a function for minutes, and Lambda does not report that its client has
 * disconnected. Therefore a follower ends before the function's timeout, and when newer followers of its user take its lease.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { headerOf } from "@wirelab/engine/link/capture-header";
import type { Access } from "../shared/edge/access.ts";
import { begunStream } from "../shared/edge/begun-stream.ts";
import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { refuseTooLong, STREAM_MAX_BYTES } from "../shared/edge/stream-limit.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { FILE_HEADER_BYTES } from "../shared/store/lab/capture.ts";
import { CaptureCursor } from "../shared/store/lab/capture-file.ts";
import { existingLink, type LinkItem, type RunningCapture } from "../shared/store/lab/link.ts";
import { releasing, takeFollowLease } from "../shared/store/limits/followed.ts";
import { openedProject } from "../shared/store/project/project.ts";
import type { Bounds } from "./bounds.ts";
import type { group } from "./routes.ts";

/** The pause between two polls grows while the capture is idle; new packets reset it. */
const SHORTEST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 1500;

/** Time reserved before the function's timeout, so that the stream ends as a complete file and not with an error. */
const RESERVE_MS = 3000;

export const streamPcap: Operation<typeof group.routes.streamPcap> = async ({
  access,
  params: { project_id, link_id },
  headOnly = false,
  remainingTimeMs,
}) => {
  const found = await readItems(access, project_id, { links: [link_id] });
  openedProject(found.project, project_id);
  const link = existingLink(found.links.get(link_id), link_id);
  const { capture } = link;
  if (capture === undefined) throw failure("capture.not-running");
  refuseTooLong(sizeOf(capture), "stop the capture, then download it");
  const headers = { "cache-control": "no-store" };
  // A HEAD request takes no lease, because it would evict a follower that sends packets.
  if (headOnly) return { status: 200, body: new Uint8Array(0), headers };
  const lease = access.caller.isAnonymous
    ? undefined
    : await takeFollowLease("captures", access.caller.name, remainingTimeMs());
  const hasTime = () => remainingTimeMs() > RESERVE_MS;
  // Reads the header and the packets recorded so far, if any: the response must not wait for later packets.
  const begun = capture.segments > 0 ? 2 : 1;
  const body = await begunStream(
    (gone) => releasing(lease, source(access, link, capture, { hasTime, lease, gone })),
    begun,
  );
  return { status: 200, body, headers };
};

const sizeOf = (capture: { bytes?: number | undefined } | undefined): number =>
  FILE_HEADER_BYTES + (capture?.bytes ?? 0);

/** Loaded on first use: most captures are of simulated links. */
async function* source(...parts: Parameters<typeof follow>): AsyncGenerator<Uint8Array> {
  const [, , { at }] = parts;
  yield* at === undefined ? follow(...parts) : (await import("./stream-there.ts")).followThere(...parts);
}

async function* follow(
  access: Access,
  { project_id, link_id }: LinkItem,
  capture: RunningCapture,
  { hasTime, lease, gone }: Bounds,
): AsyncGenerator<Uint8Array> {
  const { capture_id, file_name } = capture;
  const header = headerOf(capture);
  const cursor = new CaptureCursor({ project_id, link_id, capture_id, file_name }, header);
  const wanted = { links: [link_id], capture: { linkId: link_id, captureId: capture_id } };
  let seen = capture;
  let pauseMs = SHORTEST_PAUSE_MS;
  yield* cursor.readUntil(seen);
  while (hasTime()) {
    await sleep(pauseMs, undefined, { signal: gone }).catch(() => undefined);
    if (gone.aborted) return;
    const [found, isHeld] = await Promise.all([
      readItems(access, project_id, wanted),
      lease?.isHeld() ?? true,
    ]);
    if (!isHeld) return;
    const running = found.links.get(link_id)?.capture;
    if (sizeOf(running ?? found.capture) > STREAM_MAX_BYTES) return;
    if (running?.capture_id !== capture_id) return yield* cursor.readUntil(found.capture ?? {});
    pauseMs =
      running.segments > seen.segments ? SHORTEST_PAUSE_MS : Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
    seen = running;
    yield* cursor.readUntil(seen);
  }
}
