/** `show ip bgp neighbors`: what a session is, and why it is not up, with the words of FRR. */

import { type Neighbour, type Bgp as State, sessionOf, stateOf } from "../../../../routing/bgp/state.ts";
import { notificationText } from "../../../../wire/bgp-text.ts";
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import { withBgp } from "./show.ts";
import { uptime } from "./times.ts";

export const showNeighbours = withBgp((state, { core }, [which]) => {
  const all = [...state.neighbours.values()];
  const shown = which === undefined ? all : all.filter(({ config }) => config.address === parseIpv4(which));
  if (shown.length === 0) return [which === undefined ? "No neighbors" : `% No such neighbor: ${which}`];
  return shown.flatMap((each) => linesOf(state, each, core.world.nowUs));
});

function linesOf(state: State, neighbour: Neighbour, nowUs: number): string[] {
  const { config, counters, sinceUs, lastReset, lastNotification } = neighbour;
  const now = stateOf(neighbour);
  const kind = config.isInternal ? "internal" : "external";
  const since = now === "Established" && sinceUs !== undefined ? `, up for ${uptime(nowUs - sinceUs)}` : "";
  return [
    `BGP neighbor is ${formatIpv4(config.address)}, remote AS ${neighbour.remoteAs}, local AS ${config.ownAs}, ${kind} link`,
    `  BGP version 4, remote router ID ${formatIpv4(neighbour.identifier)}, local router ID ${formatIpv4(state.config.routerId)}`,
    `  BGP state = ${now}${config.isShutDown ? " (Admin)" : ""}${since}`,
    `  Hold time is ${neighbour.holdSeconds} seconds, keepalive interval is ${neighbour.keepaliveSeconds} seconds`,
    `  Messages sent ${counters.sent} (${counters.updatesSent} updates), received ${counters.received} (${counters.updatesReceived} updates)`,
    `  ${neighbour.received.size} accepted prefixes, ${neighbour.sent.size} announced prefixes`,
    `  Connections established ${counters.established}; dropped ${counters.dropped}`,
    ...(lastReset === undefined ? [] : [`  Last reset due to ${lastReset}`]),
    ...(lastNotification === undefined
      ? []
      : [
          `  Last notification ${lastNotification.isSent ? "sent" : "received"}: ${notificationText(lastNotification.notification)}`,
        ]),
    ...hostLines(state, neighbour),
    "",
  ];
}

function hostLines({ host }: State, neighbour: Neighbour): string[] {
  const link = sessionOf(neighbour);
  return link === undefined ? [] : [`  Local host: ${formatIpv4(host.sourceOf(link.connection))}`];
}
