/** The first words of a PC that was switched on: two router solicitations. */
import type { Host, Script } from "../host.ts";
import { sendRouterSolicitation } from "./send.ts";

const GAP_US = 260_000;

/** One now, one 0.26 s later. */
export function sendRouterSolicitations(host: Host): void {
  host.spawn(solicitTwice(host));
}

function* solicitTwice(host: Host): Script {
  sendRouterSolicitation(host);
  yield { timeoutUs: GAP_US };
  sendRouterSolicitation(host);
}
