/** Sends the events of a project, or of the whole service, to the clients that follow them. */
import { failureOf, invalidRequest } from "../shared/edge/errors.ts";
import { STREAM_ERRORS } from "../shared/edge/own-errors/stream.ts";
import { pingText } from "../shared/edge/ping.ts";
import { SERVICE_STREAM } from "../shared/store/events/event.ts";
import { EXPIRED, openStream, readEvents } from "../shared/store/events/read-events.ts";
import { existingProject, getProject, type ProjectItem } from "../shared/store/project/project.ts";
import { type Connection, connectionExpiry, fromCaller } from "../shared/store/sockets/connection.ts";
import { deliver } from "../shared/store/sockets/deliver.ts";
import { lastSent, openFollower, putFollower, removeFollower } from "../shared/store/sockets/follower.ts";
import { send } from "../shared/store/sockets/send.ts";
import type { Channel } from "./channel.ts";

const keyOf = ({ connection_id, params }: Connection) => ({
  stream: params.project_id ?? SERVICE_STREAM,
  connection_id,
});

/**
 * Stores where the client's events begin: after the last one, or after the one that the query names as the last that the client has.
 * Events that follow while the connection opens are sent afterwards.
 */
async function follow(connection: Connection, project?: ProjectItem): Promise<void> {
  const key = keyOf(connection);
  const last = await openStream(key.stream);
  const sent = readSince(connection.query.since) ?? last;
  if (!(await canContinue(key.stream, sent, last)))
    throw failureOf(STREAM_ERRORS, "events.expired", { since: sent });
  await putFollower({
    ...key,
    ...fromCaller(connection.caller),
    ...(project && { project_created_us: project.created_us }),
    sent,
    expires_s: connectionExpiry(),
  });
}

function readSince(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw invalidRequest([{ path: "query.since", message: "must be the seq of an event" }]);
}

/** A number after the last one is of a stream that has expired. */
async function canContinue(stream: string, from: number, last: number): Promise<boolean> {
  if (from >= last) return from === last;
  const next = await readEvents(stream, from, 1);
  return next !== EXPIRED && next.length > 0;
}

const notifications = {
  role: "viewer",
  /** A ping is the first message of every connection. Its number is the one after which the client continues if no event follows. */
  async open(_access, connection) {
    const key = keyOf(connection);
    const isThere = await send(connection.connection_id, pingText(await lastSent(key)));
    if (isThere && (await openFollower(key))) await deliver(key);
  },
  /** Also sends events that a function could not send before it ended. */
  async keepAlive(connection) {
    const isOpen = await send(connection.connection_id, pingText());
    if (isOpen) await deliver(keyOf(connection));
    return isOpen;
  },
  // GNS3 ignores what a client sends, too.
  message: async () => {},
  close: (connection) => removeFollower(keyOf(connection)),
} as const satisfies Partial<Channel>;

export const serviceNotifications: Channel = {
  ...notifications,
  path: "/notifications/ws",
  admit: (_access, connection) => follow(connection),
};

export const projectNotifications: Channel = {
  ...notifications,
  path: "/projects/{project_id}/notifications/ws",
  async admit(access, connection) {
    const { project_id = "" } = connection.params;
    await follow(connection, existingProject(await getProject(access, project_id), project_id));
  },
};
