/** Answers the handshake of a WebSocket: any status but 200 refuses it. */
import { admit } from "../shared/edge/access.ts";
import { callerOf } from "../shared/edge/principal.ts";
import { offered, SUBPROTOCOL } from "../shared/edge/subprotocol.ts";
import { putConnection } from "../shared/store/sockets/connection.ts";
import { CHANNELS } from "./channels.ts";
import type { SocketAnswer, SocketEvent } from "./event.ts";
import { findChannel } from "./find-channel.ts";
import { refuseForeignPage } from "./foreign-page.ts";

/**
 * @returns the headers of the answer, if it has any: a browser closes the connection when it has offered subprotocols and the server selects none.
 * @throws ApiError when there is no channel at the path, or the caller may not use it.
 */
export async function connect(event: SocketEvent): Promise<SocketAnswer["headers"]> {
  refuseForeignPage(event.headers ?? {});
  const { path = "", ...rest } = event.queryStringParameters ?? {};
  const query = Object.fromEntries(
    Object.entries(rest).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const { name, channel, params } = findChannel(CHANNELS, path);
  const access = admit({ method: "GET", role: channel.role }, callerOf(event));
  const connection = {
    connection_id: event.requestContext.connectionId,
    channel: name,
    params,
    query,
    caller: access.caller,
  };
  await channel.admit(access, connection);
  await putConnection(connection);
  return selectSubprotocol(event.headers ?? {});
}

function selectSubprotocol(headers: NonNullable<SocketEvent["headers"]>): SocketAnswer["headers"] {
  const [, header = ""] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === "sec-websocket-protocol") ?? [];
  return offered(header).includes(SUBPROTOCOL) ? { "Sec-WebSocket-Protocol": SUBPROTOCOL } : undefined;
}
