/** Sends events to the followers of a stream over WebSockets. */
import { setTimeout as sleep } from "node:timers/promises";
import { SERVICE } from "../../edge/access.ts";
import { logger } from "../../edge/log.ts";
import { forEachParallel } from "../base/parallel.ts";
import { SERVICE_STREAM, type StoredEvent } from "../events/event.ts";
import { EXPIRED, maySee, readEvents } from "../events/read-events.ts";
import { roleIn } from "../project/access.ts";
import { getProject } from "../project/project.ts";
import { toCaller } from "./connection.ts";
import {
  abandonFollower,
  type Follower,
  getFollower,
  holdFollower,
  listFollowers,
  releaseFollower,
  removeFollower,
} from "./follower.ts";
import { disconnect, MESSAGE_MAX_BYTES, send } from "./send.ts";

const PARALLEL = 8;

/** Sends new events to all followers of a stream. Failures are logged: the next event, or keepAlive, sends what is missing. */
export async function deliverToAll(stream: string): Promise<void> {
  const followers = await listFollowers(stream);
  await forEachParallel(followers, PARALLEL, async (follower) => {
    await deliver(follower).catch((error: unknown) =>
      logger.error("fault", {
        route: "deliver",
        connection_id: follower.connection_id,
        error: error as Error,
      }),
    );
  });
}

/**
 * Sends a text that is no stored event to all followers of a stream. A follower whose connection is about to open gets it then: no one else
 * keeps the text. The texts for such a follower keep their order.
 */
export async function sendToAll(stream: string, text: string): Promise<void> {
  const followers = await listFollowers(stream);
  const sendTo = async (follower: Follower): Promise<void> => {
    if (await mayFollow(follower)) await send(follower.connection_id, text);
  };
  const isWaitedFor = ({ open, connection_id }: Follower) => !open || opening.has(connection_id);
  const late = followers
    .filter(isWaitedFor)
    .map((follower) => afterOpening(follower, () => sendTo(follower)));
  await forEachParallel(
    followers.filter((each) => !isWaitedFor(each)),
    PARALLEL,
    sendTo,
  );
  await Promise.all(late);
}

const OPENING_PAUSE_MS = 50;
/** Longer than a connection takes to open: functions/sockets/opened.ts. */
const OPENING_POLLS = 100;

/** What is sent to followers when they are open, by connection. */
const opening = new Map<string, Promise<void>>();

/** Sends after the texts before, when the follower is open. Does nothing if it leaves. */
async function afterOpening(follower: Follower, sendNow: () => Promise<void>): Promise<void> {
  const { connection_id } = follower;
  const before = opening.get(connection_id) ?? Promise.resolve();
  const turn = before
    .catch(() => undefined)
    .then(async () => {
      if (await hasOpened(follower)) await sendNow();
    });
  opening.set(connection_id, turn);
  try {
    await turn;
  } finally {
    if (opening.get(connection_id) === turn) opening.delete(connection_id);
  }
}

async function hasOpened(key: Follower): Promise<boolean> {
  for (let poll = 0; poll < OPENING_POLLS; poll++) {
    const follower = await getFollower(key);
    if (follower === undefined || follower.open) return follower !== undefined;
    await sleep(OPENING_PAUSE_MS);
  }
  return false;
}

/** Sends a follower the events that it has not got, unless another sender is doing so, who then sends these, too. */
export async function deliver({
  stream,
  connection_id,
}: Pick<Follower, "stream" | "connection_id">): Promise<void> {
  let held = await holdFollower({ stream, connection_id });
  while (held) {
    const progress = { sent: held.sent };
    const isThere = await sendNew(held, progress).catch(async (error: unknown) => {
      await abandonFollower(held!, progress.sent);
      throw error;
    });
    if (!isThere) return removeFollower(held);
    held = await releaseFollower(held, progress.sent);
  }
}

/**
 * @param progress gets the number of each event that was sent, or that the follower may not see.
 * @returns false when the follower has left, or may not see the stream any more.
 */
async function sendNew(follower: Follower, progress: { sent: number }): Promise<boolean> {
  const { stream, connection_id } = follower;
  const caller = toCaller(follower);
  for (;;) {
    const events = await readEvents(stream, progress.sent);
    if (events === EXPIRED || (events.length > 0 && !(await mayFollow(follower)))) {
      await disconnect(connection_id);
      return false;
    }
    if (events.length === 0) return true;
    for (const event of events) {
      if (maySee(event, caller) && !(await send(connection_id, textOf(event)))) return false;
      progress.sent = event.seq;
    }
  }
}

/** A follower of a deleted project stays, and gets nothing but pings, until another project has the id. */
async function mayFollow(follower: Follower): Promise<boolean> {
  const { stream, project_created_us } = follower;
  if (stream === SERVICE_STREAM) return true;
  const project = await getProject(SERVICE, stream);
  if (project === undefined || project.deleting) return true;
  return project.created_us === project_created_us && roleIn(project, toCaller(follower)) !== undefined;
}

/** An event that is larger than a message is replaced by a warning, which clients show. `replaces` names the event for those that read anew. */
function textOf({ text, seq }: StoredEvent): string {
  if (Buffer.byteLength(text) <= MESSAGE_MAX_BYTES) return text;
  const { action } = JSON.parse(text) as { action: string };
  const message = `The event ${action} is larger than a WebSocket message of ${MESSAGE_MAX_BYTES} bytes; reload the project to see the change`;
  return JSON.stringify({ action: "log.warning", event: { message, replaces: action }, seq });
}
