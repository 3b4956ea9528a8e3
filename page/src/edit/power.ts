/** Starts, stops and suspends nodes. */
import { call } from "../api/call.ts";
import type { Lab } from "../lab/lab.ts";

export type PowerAction = "start" | "stop" | "suspend" | "reload";

export async function setPowerOfAll(lab: Lab, action: PowerAction): Promise<void> {
  await call("POST", `${lab.path}/nodes/${action}`, { body: {} });
  await lab.read();
}
