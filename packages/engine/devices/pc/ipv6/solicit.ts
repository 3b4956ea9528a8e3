/** Sends the two router solicitations of a PC that was switched on. */
import type { Host, Script } from "../host.ts";
import { sendRouterSolicitation } from "./send.ts";

const GAP_US = 260_000;

/** Sends one now and one 0.26 s later. */
export function sendRouterSolicitations(host: Host): void {
  host.spawn(solicitTwice(host));
}

function* solicitTwice(host: Host): Script {
  sendRouterSolicitation(host);
  yield { timeoutUs: GAP_US };
  sendRouterSolicitation(host);
}
