/** Bulk transfers, from the states of their connections. */

import type { SavedConnection } from "../tcp/tcp-host.ts";
import type { App } from "./applications.ts";
import type { HostState, Transfer } from "./state.ts";

/** A transfer as far as it is; undefined for the connection of another application. @param failure absent after a regular end. */
export function transferOf(
  { remote, remotePort, localPort, app, tcb }: SavedConnection<App>,
  failure?: string,
): Transfer | undefined {
  if (app.kind !== "sink" && app.kind !== "source") return undefined;
  const isSink = app.kind === "sink";
  return {
    direction: isSink ? "received" : "sent",
    peer: remote,
    port: isSink ? localPort : remotePort,
    bytes: isSink ? app.bytes : tcb.counters.bytesAcknowledged,
    startUs: app.startUs,
    endUs: app.lastUs,
    retransmissions: tcb.counters.retransmissions,
    timeouts: tcb.counters.timeouts,
    ...(tcb.ecn && { ecnReductions: tcb.ecn.reductions }),
    ...(failure !== undefined && { failure }),
  };
}

/** The transfers that are over, and then those in progress. */
export const transfersOf = ({
  transfers,
  connections,
}: Pick<HostState, "transfers" | "connections">): Transfer[] => [
  ...transfers,
  ...connections
    .filter(({ tcb }) => tcb.state !== "TIME-WAIT")
    .flatMap((connection) => transferOf(connection) ?? []),
];
