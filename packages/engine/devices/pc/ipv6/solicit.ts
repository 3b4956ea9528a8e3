/** Sends the two router solicitations of a PC that was switched on. */
import type { Host, Script } from "../host.ts";
import { type Notes, once, pause } from "../notes.ts";
import { sendRouterSolicitation } from "./send.ts";

const GAP_US = 260_000;

/** Sends one now and one 0.26 s later. */
export function sendRouterSolicitations(host: Host): void {
  host.spawn("solicit", {});
}

export function* solicitTwice(host: Host, notes: Notes): Script {
  once(notes, "first", () => sendRouterSolicitation(host));
  yield* pause(notes, "gap", { timeoutUs: GAP_US });
  sendRouterSolicitation(host);
}
