/** Follows a running capture. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { begunStream } from "../api/begun-stream.ts";
import { failure } from "../api/errors.ts";
import { logger } from "../api/log.ts";
import type { Operation } from "../api/operation.ts";
import { captureHeader } from "../engine/capture-header.ts";
import { CaptureCursor } from "../store/capture-file.ts";
import { takeFollowed } from "../store/followed.ts";
import type { LinkItem, RunningCapture } from "../store/link.ts";
import { readItems } from "../store/read.ts";
import { readLink } from "./read-link.ts";
import type { group } from "./routes.ts";

/** A quiet capture is looked at ever less often, one with traffic at once again. */
const SHORTEST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 1500;

/** Kept back of the function's time, so that the stream ends as a whole file and not as an error. */
const RESERVE_MS = 3000;

export const streamPcap: Operation<typeof group.routes.streamPcap> = async ({
  params,
  caller,
  remainingTimeMs,
}) => {
  const link = await readLink(params.project_id, params.link_id);
  if (link.capture === undefined) throw failure("capture.not-running");
  const giveBack = caller.isAnonymous ? undefined : await takeFollowed(caller.name, remainingTimeMs());
  const gone = new AbortController();
  const hasTime = () => remainingTimeMs() > RESERVE_MS;
  // The stream is read after this is over, and for the same caller.
  const read = AsyncLocalStorage.bind(readItems);
  // A header, and packets if there are any yet: those that are still to come are not waited for.
  const begun = link.capture.segments > 0 ? 2 : 1;
  const chunks = holding(giveBack, follow(link, link.capture, hasTime, gone.signal, read));
  const body = await begunStream(chunks, begun);
  body.once("close", () => gone.abort());
  return { status: 200, body, headers: { "cache-control": "no-store" } };
};

/** Gives the place back before the stream ends, for a function is frozen after that; and when its reader goes away. */
async function* holding(
  giveBack: (() => Promise<void>) | undefined,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } finally {
    await giveBack?.().catch((error: unknown) =>
      logger.warn("A place to follow a capture is not given back", { error: error as Error }),
    );
  }
}

/**
 * @param gone aborted when the client is: a pause must not outlive it.
 * @param read for the caller, who may lose sight of the project meanwhile: then the stream ends.
 */
async function* follow(
  link: LinkItem,
  capture: RunningCapture,
  hasTime: () => boolean,
  gone: AbortSignal,
  read: typeof readItems,
): AsyncGenerator<Uint8Array> {
  const { project_id, link_id } = link;
  const { capture_id, file_name, data_link_type, options } = capture;
  const header = captureHeader(data_link_type, options?.snaplen);
  const cursor = new CaptureCursor({ project_id, capture_id, file_name }, header);
  let seen = capture;
  let pauseMs = SHORTEST_PAUSE_MS;
  yield* cursor.readUntil(seen);
  while (hasTime() && !gone.aborted) {
    await sleep(pauseMs, undefined, { signal: gone }).catch(() => undefined);
    const found = await read(project_id, {
      links: [link_id],
      capture: { linkId: link_id, captureId: capture_id },
    });
    const running = found.links.get(link_id)?.capture;
    if (running?.capture_id !== capture_id) return yield* cursor.readUntil(found.capture ?? {});
    pauseMs =
      running.segments > seen.segments ? SHORTEST_PAUSE_MS : Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
    seen = running;
    yield* cursor.readUntil(seen);
  }
}
