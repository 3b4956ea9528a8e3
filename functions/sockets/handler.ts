/** Handles the WebSocket API: connections, messages, what follows when a connection has opened, and idle connections. */
import type { Context } from "aws-lambda";
import type { Access } from "../shared/edge/access.ts";
import { ApiError } from "../shared/edge/errors.ts";
import { toErrorResult } from "../shared/edge/http/response.ts";
import { logger } from "../shared/edge/log.ts";
import { countInto, embedMetrics, type Measured } from "../shared/edge/metrics.ts";
import { forEachParallel } from "../shared/store/base/parallel.ts";
import {
  type Connection,
  getConnection,
  listConnections,
  removeConnection,
} from "../shared/store/sockets/connection.ts";
import { disconnect } from "../shared/store/sockets/send.ts";
import { callWatcher } from "../shared/store/sockets/watch.ts";
import type { Channel } from "./channel.ts";
import { CHANNELS } from "./channels.ts";
import { connect } from "./connect.ts";
import type { OpenedEvent, ScheduledEvent, SocketAnswer, SocketEvent } from "./event.ts";
import { awaitOpened } from "./opened.ts";

const OK: SocketAnswer = { statusCode: 200 };
/** How many connections are kept alive at once. */
const PARALLEL = 16;

export async function handler(
  event: SocketEvent | OpenedEvent | ScheduledEvent,
  context: Context,
): Promise<SocketAnswer> {
  const id = context.awsRequestId;
  if ("requestContext" in event) return answer(event, context);
  if ("source" in event) return keepAllAlive(id);
  await Promise.all(
    event.opened.map((connectionId) => logged({ id, connectionId, type: "OPEN" }, () => open(connectionId))),
  );
  return OK;
}

async function keepAllAlive(id: string): Promise<SocketAnswer> {
  const connections = await listConnections();
  // The function that follows computes may have died, or a followed project may have got its first node on one.
  if (connections.some(({ channel }) => channel !== "nodeConsole")) await callWatcher();
  await forEachParallel(connections, PARALLEL, async (connection) => {
    const { connection_id: connectionId, channel: name } = connection;
    const channel = CHANNELS[name];
    await logged({ id, connectionId, type: "KEEP_ALIVE" }, async () => {
      if (!(await channel?.keepAlive(connection))) await end(connectionId);
    });
  });
  return OK;
}

function answer(event: SocketEvent, context: Context): Promise<SocketAnswer> {
  const { connectionId, requestId, eventType: type } = event.requestContext;
  const request = { id: requestId, connectionId, type };
  switch (type) {
    case "CONNECT":
      return answerHandshake(request, event);
    case "MESSAGE":
      return logged(request, () => receive(connectionId, event, context));
    case "DISCONNECT":
      return logged(request, () => end(connectionId));
  }
}

async function answerHandshake(request: Request, event: SocketEvent): Promise<SocketAnswer> {
  let headers: SocketAnswer["headers"];
  const response = await logged(request, async () => {
    headers = await connect(event);
  });
  return headers ? { ...response, headers } : response;
}

async function open(connectionId: string): Promise<void> {
  const connection = await awaitOpened(connectionId);
  if (connection) await inChannel(connection, (channel, access) => channel.open(access, connection));
}

async function receive(
  connectionId: string,
  { body = "", requestContext }: SocketEvent,
  context: Context,
): Promise<void> {
  const connection = await getConnection(connectionId);
  if (connection === undefined) return;
  const message = {
    text: body,
    receivedMs: requestContext.requestTimeEpoch,
    remainingTimeMs: () => context.getRemainingTimeInMillis(),
  };
  await inChannel(connection, (channel, access) => channel.message(access, connection, message));
}

async function end(connectionId: string): Promise<void> {
  const connection = await removeConnection(connectionId);
  if (connection) await CHANNELS[connection.channel]?.close(connection);
}

/** Closes the connection if its project or node no longer exists, or its user may no longer use it. */
async function inChannel(
  connection: Connection,
  task: (channel: Channel, access: Access) => Promise<void>,
): Promise<void> {
  const channel = CHANNELS[connection.channel];
  if (channel === undefined) return;
  try {
    await task(channel, { caller: connection.caller, needed: channel.role });
  } catch (error) {
    if (!(error instanceof ApiError && [403, 404].includes(error.status))) throw error;
    await disconnect(connection.connection_id);
  }
}

interface Request {
  readonly id: string;
  readonly connectionId: string;
  readonly type: "CONNECT" | "OPEN" | "MESSAGE" | "KEEP_ALIVE" | "DISCONNECT";
}

/** Logs one line. An error refuses a connection; at other times the client gets no answer, so it is only logged. */
async function logged({ id, connectionId, type }: Request, task: () => Promise<void>): Promise<SocketAnswer> {
  const beginMs = performance.now();
  const counts: Measured = {};
  let response: SocketAnswer = OK;
  try {
    await countInto(counts, task);
  } catch (error) {
    const { statusCode, headers, body } = toErrorResult(error, id);
    response = { statusCode, headers, body: Buffer.from(body as Uint8Array).toString() };
    if (!(error instanceof ApiError) || error.cause !== undefined)
      logger.error("fault", { correlation_id: id, route: `sockets.${type}`, error: error as Error });
  }
  const { statusCode: status } = response;
  const failed: Measured = status >= 500 ? { Errors: 1 } : {};
  logger.info("socket", {
    correlation_id: id,
    connection_id: connectionId,
    status,
    ...embedMetrics([
      { measured: { Requests: 1, ...failed }, by: { Route: `sockets.${type}` } },
      { measured: { ...failed, Duration: Math.round((performance.now() - beginMs) * 10) / 10, ...counts } },
    ]),
  });
  return type === "CONNECT" ? response : OK;
}
