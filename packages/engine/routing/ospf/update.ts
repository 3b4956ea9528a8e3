/** Receives LSAs (RFC 2328, section 13). */
import { type Aged, compareInstances, LSA, type Lsa, MAX_AGE_S, MAX_SEQUENCE } from "../../wire/ospf-lsa.ts";
import { aged, areaOf, databaseFor, hasSameContent, isMaxAge, store } from "./database.ts";
import { reviewRequests } from "./exchange.ts";
import {
  acknowledgeLater,
  flood,
  forgetInstance,
  type Sender,
  sendAcknowledgments,
  sendUpdates,
} from "./flooding.ts";
import { restartExchange } from "./neighbours.ts";
import { directTarget } from "./sending.ts";
import { changeRoutes } from "./spf-schedule.ts";
import { type Database, type Entry, type Interface, isAtLeast, type Neighbour, type Ospf } from "./state.ts";

export function receiveUpdate(
  ospf: Ospf,
  iface: Interface,
  neighbour: Neighbour,
  lsas: readonly Aged<Lsa>[],
): void {
  const direct: Aged<Lsa>[] = [];
  for (const each of lsas) {
    if (!isAtLeast(neighbour, "exchange")) return;
    receiveLsa(ospf, { iface, neighbour }, each, direct);
  }
  if (direct.length > 0) sendAcknowledgments(ospf, iface, directTarget(iface, neighbour), direct);
  for (const each of ospf.interfaces.values())
    for (const other of each.neighbours.values())
      if (other.state === "loading" || other.state === "exchange") reviewRequests(ospf, each, other);
}

/** @param direct gets the LSAs to acknowledge at once. */
function receiveLsa(ospf: Ospf, from: Sender, each: Aged<Lsa>, direct: Aged<Lsa>[]): void {
  const { iface, neighbour } = from;
  const { lsa } = each;
  // Steps 2 and 3.
  const database = databaseFor(ospf, iface, lsa.type);
  if (database === undefined) return;
  const { nowUs } = ospf.host;
  const entry = database.get(lsa.key);
  // Step 4.
  if (each.age >= MAX_AGE_S && entry === undefined && !isAnyExchanging(ospf)) {
    direct.push(each);
    neighbour.requests.delete(lsa.key);
    return;
  }
  const order = entry === undefined ? 1 : compareInstances(each, aged(entry, nowUs));
  if (order > 0) receiveNewer(ospf, from, each, database, entry);
  else if (neighbour.requests.has(lsa.key)) restartExchange(ospf, iface, neighbour, "bad request");
  else if (order === 0) receiveSame(ospf, from, each, direct);
  else if (entry !== undefined) sendBack(ospf, from, entry);
}

/** Step 5. */
function receiveNewer(
  ospf: Ospf,
  from: Sender,
  each: Aged<Lsa>,
  database: Database,
  before: Entry | undefined,
): void {
  const { iface, neighbour } = from;
  const { nowUs } = ospf.host;
  const leastUs = ospf.config.timers.minLsaArrivalMs * 1_000;
  // Step 5a: not acknowledged, so it comes again. Its own LSAs, which the router is to correct, are taken at any time.
  const isOwn = isSelfOriginated(ospf, each.lsa);
  if (before !== undefined && !isOwn && nowUs - before.installedUs < leastUs) return;
  const isChange = before === undefined || !hasSameContent(aged(before, nowUs), each);
  forgetInstance(ospf, database, each.lsa);
  // The time of its own origination counts for the next one.
  const origin = isOwn ? { isForeign: true, installedUs: before?.installedUs ?? 0 } : {};
  const entry = store(ospf, database, each, origin);
  const isSentBack = flood(ospf, entry, { area: areaOf(ospf, iface), link: iface, from });
  if (!isSentBack) acknowledgeNewer(ospf, from, each);
  neighbour.requests.delete(each.lsa.key);
  if (isChange) changeRoutes(ospf, each.lsa);
  // Step 5f, section 13.4.
  if (isOwn) ospf.isOriginationDue = true;
}

/** Section 13.5: a backup acknowledges only what the designated router sends. */
function acknowledgeNewer(ospf: Ospf, { iface, neighbour }: Sender, each: Aged<Lsa>): void {
  if (iface.state !== "backup" || neighbour.address === iface.designated) acknowledgeLater(ospf, iface, each);
}

/** Step 7. */
function receiveSame(ospf: Ospf, { iface, neighbour }: Sender, each: Aged<Lsa>, direct: Aged<Lsa>[]): void {
  const waits = neighbour.retransmissions.get(each.lsa.key);
  if (waits === undefined) {
    direct.push(each);
    return;
  }
  // An implied acknowledgment.
  neighbour.retransmissions.delete(each.lsa.key);
  if (withholds(iface, each.lsa.key)) acknowledgeLater(ospf, iface, each);
  else if (iface.state === "backup" && neighbour.address === iface.designated)
    acknowledgeLater(ospf, iface, each);
}

/** An LSA that waits at the interface, and that all neighbours there have shown meanwhile, is not sent: they get acknowledgments in its place. */
function withholds({ outgoing, neighbours }: Interface, key: string): boolean {
  if (!outgoing.has(key)) return false;
  for (const { retransmissions } of neighbours.values()) if (retransmissions.has(key)) return false;
  return outgoing.delete(key);
}

/** Step 8: the database has a newer instance. */
function sendBack(ospf: Ospf, { iface, neighbour }: Sender, entry: Entry): void {
  const { nowUs } = ospf.host;
  // The sequence numbers begin anew when the last instance is gone.
  if (isMaxAge(entry, nowUs) && entry.lsa.sequence === MAX_SEQUENCE) return;
  const leastUs = ospf.config.timers.minLsaArrivalMs * 1_000;
  for (const [key, sentUs] of iface.sentBack) if (nowUs - sentUs >= leastUs) iface.sentBack.delete(key);
  if (iface.sentBack.has(entry.lsa.key)) return;
  iface.sentBack.set(entry.lsa.key, nowUs);
  sendUpdates(ospf, iface, directTarget(iface, neighbour), [entry]);
}

/** Section 13.4: an LSA of the router, or a network-LSA for one of its addresses. */
export const isSelfOriginated = (ospf: Ospf, { type, id, advertiser }: Lsa): boolean =>
  advertiser === ospf.config.routerId ||
  (type === LSA.network && [...ospf.interfaces.values()].some(({ config }) => config.address === id));

const isAnyExchanging = (ospf: Ospf): boolean =>
  [...ospf.interfaces.values()].some(({ neighbours }) =>
    [...neighbours.values()].some(({ state }) => state === "exchange" || state === "loading"),
  );
