/** Closes the consoles of a node. */
import { disconnect, send } from "../sockets/send.ts";
import { listConsoles, removeConsole } from "./console.ts";

/** @param reason one line, without its end. */
export async function closeConsoles(projectId: string, nodeId: string, reason: string): Promise<void> {
  for (const console of await listConsoles(projectId, nodeId)) {
    await send(console.connection_id, `\r\n${reason}\r\n`);
    await removeConsole(console);
    await disconnect(console.connection_id);
  }
}
