/** Opens WebSockets of the service. */

import { currentAuthorization } from "./session.ts";
import { readWay } from "./sign-in-way.ts";
import { socketAddress, subprotocols } from "./socket-address.ts";

/** @param path below the version prefix. @throws Error when the service cannot be reached. */
export async function openSocket(path: string): Promise<WebSocket> {
  const [{ sockets }, authorization] = await Promise.all([readWay(), currentAuthorization()]);
  return new WebSocket(socketAddress(location.origin, sockets, path), subprotocols(authorization));
}
