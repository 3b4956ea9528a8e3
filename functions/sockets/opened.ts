/**
 * Informs the channels of connections that have opened. API Gateway opens a connection after the function has accepted `$connect`, so
 * the function cannot send while it handles that event. The publisher reads the stored connection from the table's stream, and calls the
 * function again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Connection,
  getConnection,
  markOpened,
  removeConnection,
} from "../shared/store/sockets/connection.ts";
import { isOpen } from "../shared/store/sockets/send.ts";

/** API Gateway opens a connection within milliseconds; after this time its client has left. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 20;

/** @returns the connection, once for each connection; undefined if it was opened before, or if the client has left. */
export async function awaitOpened(connectionId: string): Promise<Connection | undefined> {
  const connection = await getConnection(connectionId);
  if (connection === undefined || !(await markOpened(connectionId))) return undefined;
  const begin = performance.now();
  while (!(await isOpen(connectionId))) {
    if (performance.now() - begin > PATIENCE_MS) {
      await removeConnection(connectionId);
      return undefined;
    }
    await sleep(PAUSE_MS);
  }
  return connection;
}
