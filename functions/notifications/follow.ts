/**
 * Streams of events. Each follower occupies a function for minutes, as a follower of a capture does (functions/follow), and ends under
 * the same conditions.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Access } from "../shared/edge/access.ts";
import { begunStream } from "../shared/edge/begun-stream.ts";
import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { STREAM_ERRORS } from "../shared/edge/own-errors/stream.ts";
import { PING_EVERY_MS, pingText } from "../shared/edge/ping.ts";
import { SERVICE_STREAM } from "../shared/store/events/event.ts";
import {
  EXPIRED,
  maySee,
  openStream,
  readEvents,
  textFor,
  wasBefore,
} from "../shared/store/events/read-events.ts";
import { type FollowLease, releasing, takeFollowLease } from "../shared/store/limits/followed.ts";
import { existingProject, getProject, type ProjectItem } from "../shared/store/project/project.ts";
import { type FollowedComputes, followComputes } from "./follow-computes.ts";
import type { group } from "./routes.ts";

/** The pause between two polls grows while nothing changes; an event resets it. */
const SHORTEST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 1_000;
/** Time reserved before the function's timeout, so that the stream ends as a complete response. */
const RESERVE_MS = 3_000;

type Request = Pick<
  Parameters<Operation<typeof group.routes.followService>>[0],
  "access" | "headOnly" | "origin" | "query" | "remainingTimeMs"
>;

export const followService: Operation<typeof group.routes.followService> = (request) =>
  stream(request, undefined);

export const followProject: Operation<typeof group.routes.followProject> = async (request) => {
  const { project_id } = request.params;
  return stream(request, existingProject(await getProject(request.access, project_id), project_id));
};

async function stream(
  { access, headOnly = false, origin, query: { since }, remainingTimeMs }: Request,
  project: ProjectItem | undefined,
) {
  const { caller } = access;
  const headers = { "cache-control": "no-store" };
  const of = project?.project_id ?? SERVICE_STREAM;
  const last = await openStream(of);
  const from = since ?? last;
  if (!(await canContinue(of, from, last))) throw failureOf(STREAM_ERRORS, "events.expired", { since: from });
  // A HEAD request takes no lease, because it would evict a follower.
  if (headOnly) return { status: 200, body: new Uint8Array(0), headers } as const;
  const lease = caller.isAnonymous
    ? undefined
    : await takeFollowLease("events", caller.name, remainingTimeMs());
  const hasTime = () => remainingTimeMs() > RESERVE_MS;
  const { host } = origin;
  const body = await begunStream(
    (gone) => releasing(lease, follow({ stream: of, from, project, access, host, lease, hasTime, gone })),
    1,
  );
  return { status: 200, body, headers } as const;
}

/** A number after the last one is of a stream that has expired. */
async function canContinue(of: string, from: number, last: number): Promise<boolean> {
  if (from >= last) return from === last;
  const next = await readEvents(of, from, 1);
  return next !== EXPIRED && next.length > 0;
}

interface Following {
  readonly stream: string;
  /** The number of the last event that the client has. */
  readonly from: number;
  /** As it was when the stream began; undefined for the stream of the service. */
  readonly project: ProjectItem | undefined;
  readonly access: Access;
  /** The host at which the follower reached the service. */
  readonly host: string;
  readonly lease: FollowLease | undefined;
  readonly hasTime: () => boolean;
  /** Aborted when the response body is destroyed. */
  readonly gone: AbortSignal;
}

async function* follow(following: Following): AsyncGenerator<Uint8Array> {
  yield lines([pingText(following.from)]);
  const computes = await followComputes(following.project);
  try {
    yield* followEvents(following, computes);
  } finally {
    await computes.close();
  }
}

async function* followEvents(following: Following, computes: FollowedComputes): AsyncGenerator<Uint8Array> {
  const { stream, from, project, access, host, hasTime, gone } = following;
  let seq = from;
  let sentMs = performance.now();
  let pauseMs = SHORTEST_PAUSE_MS;
  while (hasTime()) {
    const events = await readEvents(stream, seq);
    if (events === EXPIRED) return;
    computes.noteNew(events);
    const shown = events.filter(
      (event) => maySee(event, access.caller) && !(project && wasBefore(event, project)),
    );
    seq = events.at(-1)?.seq ?? seq;
    const texts = [...shown.map((event) => textFor(event, host)), ...computes.take(seq)];
    const isSilent = performance.now() - sentMs >= PING_EVERY_MS;
    if (texts.length > 0 || isSilent) {
      if (!(await mayContinue(following))) return;
      sentMs = performance.now();
      yield lines(texts.length > 0 ? texts : [pingText(seq)]);
    }
    if (events.length > 0) {
      pauseMs = SHORTEST_PAUSE_MS;
      continue;
    }
    await sleep(pauseMs, undefined, { signal: gone }).catch(() => undefined);
    if (gone.aborted) return;
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}

/** Returns whether the lease is held, and the project is still there and shared with the caller. */
async function mayContinue({ access, lease, project }: Following): Promise<boolean> {
  const [isHeld, found] = await Promise.all([
    lease?.isHeld() ?? true,
    project && getProject(access, project.project_id),
  ]);
  return isHeld && found?.created_us === project?.created_us && !found?.deleting;
}

const encoder = new TextEncoder();
const lines = (texts: readonly string[]): Uint8Array =>
  encoder.encode(texts.map((text) => `${text}\n`).join(""));
