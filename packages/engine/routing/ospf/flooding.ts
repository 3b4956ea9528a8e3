/** Flooding (RFC 2328, section 13.3), its retransmissions (13.6) and acknowledgments (13.5). */
import { OPTION, OSPF } from "../../wire/ospf.ts";
import {
  type Aged,
  compareInstances,
  LSA_HEADER_BYTES,
  type Lsa,
  type LsaHeader,
  MAX_AGE_S,
} from "../../wire/ospf-lsa.ts";
import { aged, ageOf, areaOf, databaseFor, type Scope, scopeOf } from "./database.ts";
import { directTarget, floodTarget, mostBytes, send } from "./sending.ts";
import {
  type Area,
  type Database,
  type Entry,
  type Interface,
  isAtLeast,
  type Neighbour,
  type Ospf,
} from "./state.ts";

const SECOND_US = 1_000_000;
/** FRR's delay of acknowledgments. */
const ACKNOWLEDGE_US = SECOND_US;
/** LSAs that are flooded within this time share packets. */
const FLOOD_US = 5_000;

/** Where an LSA came from. */
export interface Sender {
  readonly iface: Interface;
  readonly neighbour: Neighbour;
}

/**
 * Floods an entry of a database.
 * @param area of LSAs of that scope. @param link of LSAs of that scope. @param from the neighbour that sent it.
 * @returns whether it goes out of the interface it came from.
 */
export function flood(
  ospf: Ospf,
  entry: Entry,
  { area, link, from }: { readonly area?: Area; readonly link?: Interface; readonly from?: Sender },
): boolean {
  const scope = scopeOf(entry.lsa.type);
  let isSentBack = false;
  for (const iface of ospf.interfaces.values()) {
    if (!isInScope(ospf, iface, scope, area, link)) continue;
    const isAdded = addToNeighbours(ospf, iface, entry, from?.neighbour);
    if (!isAdded) continue;
    if (from?.iface === iface) {
      const { neighbour } = from;
      // Steps 3 and 4: the designated router has sent it to all, or will.
      const isByDesignated = [iface.designated, iface.backup].includes(neighbour.address);
      if (iface.config.network === "broadcast" && (isByDesignated || iface.state === "backup")) continue;
      isSentBack = true;
    }
    iface.outgoing.set(entry.lsa.key, entry);
    ospf.timers.begin("flood", iface.slot, ospf.host.nowUs + FLOOD_US);
  }
  return isSentBack;
}

function isInScope(
  ospf: Ospf,
  iface: Interface,
  scope: Scope | undefined,
  area: Area | undefined,
  link: Interface | undefined,
): boolean {
  if (scope === "link") return iface === link;
  const own = areaOf(ospf, iface);
  return scope === "area" ? own === area : own.config.kind !== "stub";
}

/** Step 1. @returns whether any neighbour needs the LSA. */
function addToNeighbours(ospf: Ospf, iface: Interface, entry: Entry, from: Neighbour | undefined): boolean {
  let isAdded = false;
  const { nowUs } = ospf.host;
  for (const neighbour of iface.neighbours.values()) {
    if (!isAtLeast(neighbour, "exchange") || !understands(neighbour, entry)) continue;
    const wanted = neighbour.state === "full" ? undefined : neighbour.requests.get(entry.lsa.key);
    if (wanted !== undefined) {
      const order = compareInstances(aged(entry, nowUs), wanted);
      if (order < 0) continue;
      neighbour.requests.delete(entry.lsa.key);
      if (order === 0) continue;
    }
    if (neighbour === from) continue;
    awaitAcknowledgment(ospf, iface, neighbour, entry);
    isAdded = true;
  }
  return isAdded;
}

/** Opaque LSAs go to routers that know them (RFC 5250, section 3.1). */
const understands = ({ options }: Neighbour, { lsa }: Entry): boolean =>
  lsa.body.kind !== "opaque" || (options & OPTION.opaque) !== 0;

/** Sends an entry again until the neighbour acknowledges it. */
export function awaitAcknowledgment(ospf: Ospf, iface: Interface, neighbour: Neighbour, entry: Entry): void {
  const { nowUs } = ospf.host;
  const { retransmissions } = neighbour;
  const isFirst = retransmissions.size === 0;
  retransmissions.set(entry.lsa.key, { entry, atUs: nowUs });
  if (isFirst && !RETRANSMITTING.some((name) => ospf.timers.has(name, neighbour.slot)))
    ospf.timers.set(timerOf(neighbour), neighbour.slot, nowUs + retransmitUs(iface));
}

const RETRANSMITTING = ["retransmit", "retry"] as const;
/** A run of a lab waits for so many retransmissions to a neighbour. */
const ATTEMPTS_OF_A_RUN = 3;
const timerOf = ({ attempts }: Neighbour): (typeof RETRANSMITTING)[number] =>
  attempts < ATTEMPTS_OF_A_RUN ? "retransmit" : "retry";

const retransmitUs = ({ config }: Interface): number => config.retransmitSeconds * SECOND_US;

/** Sends what waits at an interface to all of its neighbours. */
export function sendOutgoing(ospf: Ospf, iface: Interface): void {
  const entries = [...iface.outgoing.values()];
  iface.outgoing.clear();
  sendUpdates(ospf, iface, floodTarget(iface), entries);
}

/** Sends entries in as few packets as they need. */
export function sendUpdates(ospf: Ospf, iface: Interface, target: number, entries: readonly Entry[]): void {
  const { nowUs } = ospf.host;
  const most = mostBytes(iface) - 4;
  const delay = iface.config.transmitDelaySeconds;
  let lsas: Aged<Lsa>[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const { lsa } = entry;
    if (lsas.length > 0 && bytes + lsa.length > most) {
      send(ospf, iface, target, { type: OSPF.update, lsas });
      lsas = [];
      bytes = 0;
    }
    lsas.push({ lsa, age: Math.min(MAX_AGE_S, ageOf(entry, nowUs) + delay) });
    bytes += lsa.length;
  }
  if (lsas.length > 0) send(ospf, iface, target, { type: OSPF.update, lsas });
}

/** Sends a neighbour what it has not acknowledged for the retransmission interval. */
export function retransmit(ospf: Ospf, iface: Interface, neighbour: Neighbour): void {
  const { nowUs } = ospf.host;
  const intervalUs = retransmitUs(iface);
  const due: Entry[] = [];
  let nextUs = Number.POSITIVE_INFINITY;
  for (const each of neighbour.retransmissions.values()) {
    if (each.atUs + intervalUs <= nowUs) {
      each.atUs = nowUs;
      due.push(each.entry);
    }
    nextUs = Math.min(nextUs, each.atUs + intervalUs);
  }
  if (due.length > 0) neighbour.attempts += 1;
  sendUpdates(ospf, iface, directTarget(iface, neighbour), due);
  if (nextUs < Number.POSITIVE_INFINITY) ospf.timers.set(timerOf(neighbour), neighbour.slot, nextUs);
}

/** A newer instance takes the place of an LSA: the one before is not sent again (section 13, step 5d). */
export function forgetInstance(ospf: Ospf, database: Database, { key, type }: LsaHeader): void {
  if (!database.has(key)) return;
  for (const iface of ospf.interfaces.values()) {
    if (databaseFor(ospf, iface, type) !== database) continue;
    iface.outgoing.delete(key);
    for (const neighbour of iface.neighbours.values()) neighbour.retransmissions.delete(key);
  }
}

/** Acknowledges an LSA together with others. */
export function acknowledgeLater(ospf: Ospf, iface: Interface, each: Aged<Lsa>): void {
  iface.acknowledgments.push(each);
  ospf.timers.begin("acknowledge", iface.slot, ospf.host.nowUs + ACKNOWLEDGE_US);
}

export function sendAcknowledgments(
  ospf: Ospf,
  iface: Interface,
  target: number,
  all: readonly Aged<LsaHeader>[],
): void {
  const most = Math.floor(mostBytes(iface) / LSA_HEADER_BYTES);
  for (let at = 0; at < all.length; at += most)
    send(ospf, iface, target, { type: OSPF.acknowledgment, headers: all.slice(at, at + most) });
}

export function sendDelayedAcknowledgments(ospf: Ospf, iface: Interface): void {
  const all = iface.acknowledgments;
  iface.acknowledgments = [];
  sendAcknowledgments(ospf, iface, floodTarget(iface), all);
}

/** Takes an acknowledgment (section 13.7). */
export function receiveAcknowledgment(
  ospf: Ospf,
  neighbour: Neighbour,
  headers: readonly Aged<LsaHeader>[],
): void {
  if (!isAtLeast(neighbour, "exchange")) return;
  for (const header of headers) {
    const waits = neighbour.retransmissions.get(header.lsa.key);
    if (waits === undefined) continue;
    if (compareInstances(header, aged(waits.entry, ospf.host.nowUs)) === 0)
      neighbour.retransmissions.delete(header.lsa.key);
  }
  if (neighbour.retransmissions.size > 0) return;
  neighbour.attempts = 0;
  for (const name of RETRANSMITTING) ospf.timers.clear(name, neighbour.slot);
}
