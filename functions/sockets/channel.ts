/** A channel is what a WebSocket path leads to. The handler finds the channel; the channel decides what is sent. */
import type { Access } from "../shared/edge/access.ts";
import type { Role } from "../shared/edge/principal.ts";
import type { Connection } from "../shared/store/sockets/connection.ts";

interface Message {
  readonly text: string;
  /** When API Gateway received the message, in milliseconds since 1970. Two messages of a connection may be handled at the same time. */
  readonly receivedMs: number;
  /** Returns the remaining time of the function. */
  readonly remainingTimeMs: () => number;
}

/** The access is that of the connection's user, with the role of the channel. */
export interface Channel {
  /** The path below the version prefix: `/projects/{project_id}/notifications/ws`. */
  readonly path: string;
  /** The role that callers need, also in the project of the path. */
  readonly role: Role;
  /**
   * Checks a client that wants to connect, and may store what the channel needs. The connection is not open yet.
   * @throws ApiError, with whose status the handshake is answered.
   */
  admit(access: Access, connection: Connection): Promise<void>;
  /** Called once, soon after the connection has opened: from here on `send` reaches the client. */
  open(access: Access, connection: Connection): Promise<void>;
  /**
   * Sends something that changes nothing, so that API Gateway does not close an idle connection after ten minutes.
   * @returns false when the connection is closed.
   */
  keepAlive(connection: Connection): Promise<boolean>;
  /** An ApiError with status 403 or 404 closes the connection. */
  message(access: Access, connection: Connection, message: Message): Promise<void>;
  /** Called after the client has left, also without `open` before. It is not called if API Gateway loses the connection. */
  close(connection: Connection): Promise<void>;
}
