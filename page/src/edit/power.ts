/** Starts, stops and suspends nodes. */
import { call } from "../api/call.ts";
import type { Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";

export type PowerAction = "start" | "stop" | "suspend" | "reload";

export async function setPower(lab: Lab, id: string, action: PowerAction): Promise<void> {
  const node = await call<Node | undefined>("POST", `${lab.path}/nodes/${id}/${action}`, { body: {} });
  if (node?.node_id !== undefined) lab.putNode(node);
}

export async function setPowerOfAll(lab: Lab, action: PowerAction): Promise<void> {
  await call("POST", `${lab.path}/nodes/${action}`, { body: {} });
  await lab.read();
}
