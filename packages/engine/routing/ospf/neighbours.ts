/** The states of neighbours (RFC 2328, section 10), and what a change of state means for the interface and the area. */

import { sendDescription } from "./describe.ts";
import {
  type Interface,
  isAtLeast,
  type Neighbour,
  type NeighbourState,
  newExchange,
  type Ospf,
} from "./state.ts";

const SECOND_US = 1_000_000;

/** The key of a neighbour at an interface (section 10): its router id at point-to-point links, else its address. */
export const neighbourKey = ({ config }: Interface, id: number, address: number): number =>
  config.network === "point-to-point" ? id : address;

export function addNeighbour(ospf: Ospf, iface: Interface, id: number, address: number): Neighbour {
  const neighbour: Neighbour = {
    slot: ospf.nextSlot++,
    id,
    address,
    state: "down",
    priority: 0,
    designated: 0,
    backup: 0,
    options: 0,
    sequence: 0,
    sinceUs: ospf.host.nowUs,
    exchange: newExchange(),
    requests: new Map(),
    retransmissions: new Map(),
    attempts: 0,
  };
  iface.neighbours.set(neighbourKey(iface, id, address), neighbour);
  return neighbour;
}

export function setState(
  ospf: Ospf,
  iface: Interface,
  neighbour: Neighbour,
  to: NeighbourState,
  why: string,
): void {
  const from = neighbour.state;
  if (from === to) return;
  const wasTwoWay = isAtLeast(neighbour, "2-way");
  const wasExchanging = isAtLeast(neighbour, "exchange");
  neighbour.state = to;
  neighbour.sinceUs = ospf.host.nowUs;
  if (wasTwoWay !== isAtLeast(neighbour, "2-way")) iface.isElectionDue = true;
  if (wasExchanging && !isAtLeast(neighbour, "exchange")) clearLists(ospf, neighbour);
  // The router's links are to neighbours that are full (section 12.4.1).
  if (from === "full" || to === "full") ospf.isOriginationDue = true;
  ospf.host.neighbourChanged({ port: iface.config.port, id: neighbour.id, from, to, why });
}

function clearLists(ospf: Ospf, neighbour: Neighbour): void {
  neighbour.requests.clear();
  neighbour.retransmissions.clear();
  neighbour.attempts = 0;
  neighbour.exchange = newExchange(neighbour.exchange.sequence);
  for (const name of ["description", "request", "retransmit", "retry"] as const)
    ospf.timers.clear(name, neighbour.slot);
  // LSAs of MaxAge may have waited for it.
  ospf.hasMaxAged = true;
}

/** Event 1-WayReceived: the neighbour does not hear the router any more. */
export function receiveOneWay(ospf: Ospf, iface: Interface, neighbour: Neighbour): void {
  if (isAtLeast(neighbour, "2-way")) setState(ospf, iface, neighbour, "init", "1-way received");
}

/** Event 2-WayReceived. */
export function receiveTwoWay(ospf: Ospf, iface: Interface, neighbour: Neighbour): void {
  if (isAtLeast(neighbour, "2-way")) return;
  setState(ospf, iface, neighbour, "2-way", "2-way received");
  reviewAdjacency(ospf, iface, neighbour);
}

/** Event AdjOK?: an adjacency begins or ends as the roles at the link require (section 10.4). */
export function reviewAdjacency(ospf: Ospf, iface: Interface, neighbour: Neighbour): void {
  const isWanted = shouldBeAdjacent(iface, neighbour);
  if (neighbour.state === "2-way" && isWanted) beginExchange(ospf, iface, neighbour, "adjacency wanted");
  else if (isAtLeast(neighbour, "exstart") && !isWanted)
    setState(ospf, iface, neighbour, "2-way", "adjacency not wanted");
}

function shouldBeAdjacent(iface: Interface, { address, id }: Neighbour): boolean {
  if (iface.config.network === "point-to-point") return true;
  if (iface.state === "designated" || iface.state === "backup") return true;
  return id !== 0 && (address === iface.designated || address === iface.backup);
}

/** State ExStart: both ends claim to be master, until one of them gives way. */
export function beginExchange(ospf: Ospf, iface: Interface, neighbour: Neighbour, why: string): void {
  const before = neighbour.exchange.sequence;
  setState(ospf, iface, neighbour, "exstart", why);
  // The first number is to differ from that of an earlier exchange.
  const sequence = before === 0 ? ospf.host.random(0x1000_0000) + 1 : (before + 1) >>> 0;
  neighbour.exchange = newExchange(sequence);
  sendDescription(ospf, iface, neighbour);
}

/** Events SeqNumberMismatch and BadLSReq: the exchange begins again. */
export function restartExchange(ospf: Ospf, iface: Interface, neighbour: Neighbour, why: string): void {
  if (!isAtLeast(neighbour, "exchange")) return;
  beginExchange(ospf, iface, neighbour, why);
}

/** Events InactivityTimer, KillNbr and LLDown. */
export function removeNeighbour(ospf: Ospf, iface: Interface, neighbour: Neighbour, why: string): void {
  setState(ospf, iface, neighbour, "down", why);
  ospf.timers.clear("inactivity", neighbour.slot);
  iface.neighbours.delete(neighbourKey(iface, neighbour.id, neighbour.address));
}

/** The neighbour has been heard: it is lost if it stays silent for the dead interval. */
export function hear(ospf: Ospf, { config }: Interface, { slot }: Neighbour): void {
  ospf.timers.set("inactivity", slot, ospf.host.nowUs + config.deadSeconds * SECOND_US);
}
