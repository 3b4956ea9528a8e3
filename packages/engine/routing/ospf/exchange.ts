/** Receives database descriptions (RFC 2328, section 10.6) and requests (10.7), and completes adjacencies. */
import { DD_FLAG, type Description, OPTION } from "../../wire/ospf.ts";
import { type Aged, compareInstances, keyOfLsa, type LsaHeader, type LsaName } from "../../wire/ospf-lsa.ts";
import { aged, areaOf, databaseFor, findLsa, isMaxAge } from "./database.ts";
import { hasMore, hasMoreToDescribe, repeatDescription, sendDescription, sendRequest } from "./describe.ts";
import { awaitAcknowledgment, sendUpdates } from "./flooding.ts";
import { receiveTwoWay, restartExchange, setState } from "./neighbours.ts";
import { refuse } from "./refusals.ts";
import { directTarget } from "./sending.ts";
import { type Entry, type Interface, isAtLeast, type Neighbour, type Ospf } from "./state.ts";

export function receiveDescription(
  ospf: Ospf,
  iface: Interface,
  neighbour: Neighbour,
  description: Description,
): void {
  if (!iface.config.ignoresMtu && description.mtuBytes > iface.config.mtuBytes) {
    refuse(iface, "MTU");
    return;
  }
  if (neighbour.state === "init") receiveTwoWay(ospf, iface, neighbour);
  if (neighbour.state === "exstart") receiveFirst(ospf, iface, neighbour, description);
  else if (neighbour.state === "exchange") receiveNext(ospf, iface, neighbour, description);
  else if (isAtLeast(neighbour, "loading")) receiveLate(ospf, iface, neighbour, description);
}

/** State ExStart: the router with the higher id is the master. */
function receiveFirst(ospf: Ospf, iface: Interface, neighbour: Neighbour, description: Description): void {
  const { flags, sequence, headers } = description;
  const { exchange } = neighbour;
  const isHigher = neighbour.id > ospf.config.routerId;
  const all = DD_FLAG.init | DD_FLAG.more | DD_FLAG.master;
  if ((flags & all) === all && headers.length === 0 && isHigher) {
    exchange.isMaster = false;
    exchange.sequence = sequence;
    ospf.timers.clear("description", neighbour.slot);
  } else if ((flags & (DD_FLAG.init | DD_FLAG.master)) !== 0 || sequence !== exchange.sequence || isHigher)
    return;
  neighbour.options = description.options;
  beginDescribing(ospf, iface, neighbour);
  take(ospf, iface, neighbour, description);
}

/** Event NegotiationDone: the whole database of the area is to be described. */
function beginDescribing(ospf: Ospf, iface: Interface, neighbour: Neighbour): void {
  const { nowUs } = ospf.host;
  setState(ospf, iface, neighbour, "exchange", "negotiation done");
  const area = areaOf(ospf, iface);
  const isOpaque = (neighbour.options & OPTION.opaque) !== 0;
  const databases = [area.database, iface.database, ...(area.config.kind === "stub" ? [] : [ospf.external])];
  const summary: Aged<LsaHeader>[] = [];
  for (const database of databases)
    for (const entry of database.values()) {
      if (entry.lsa.body.kind === "opaque" && !isOpaque) continue;
      if (isMaxAge(entry, nowUs)) awaitAcknowledgment(ospf, iface, neighbour, entry);
      else summary.push(aged(entry, nowUs));
    }
  neighbour.exchange.summary = summary;
}

/** State Exchange: checks that the packet is the next one. */
function receiveNext(ospf: Ospf, iface: Interface, neighbour: Neighbour, description: Description): void {
  const { exchange } = neighbour;
  if (isDuplicate(neighbour, description)) {
    if (!exchange.isMaster) repeatDescription(ospf, iface, neighbour);
    return;
  }
  const isFromMaster = (description.flags & DD_FLAG.master) !== 0;
  const expected = exchange.isMaster ? exchange.sequence : (exchange.sequence + 1) >>> 0;
  const isWrong =
    isFromMaster === exchange.isMaster ||
    (description.flags & DD_FLAG.init) !== 0 ||
    description.options !== exchange.lastReceived?.options ||
    description.sequence !== expected;
  if (isWrong) restartExchange(ospf, iface, neighbour, "sequence number mismatch");
  else take(ospf, iface, neighbour, description);
}

/** The exchange is over: only its last packet may come again. */
function receiveLate(ospf: Ospf, iface: Interface, neighbour: Neighbour, description: Description): void {
  if (!isDuplicate(neighbour, description))
    restartExchange(ospf, iface, neighbour, "sequence number mismatch");
  else if (!neighbour.exchange.isMaster) repeatDescription(ospf, iface, neighbour);
}

function isDuplicate({ exchange }: Neighbour, { flags, options, sequence }: Description): boolean {
  const last = exchange.lastReceived;
  return last?.flags === flags && last.options === options && last.sequence === sequence;
}

/** Notes what the neighbour has newer, and sends the next part. */
function take(ospf: Ospf, iface: Interface, neighbour: Neighbour, description: Description): void {
  const { exchange, requests } = neighbour;
  const { flags, options, sequence, headers } = description;
  const { nowUs } = ospf.host;
  exchange.lastReceived = { flags, options, sequence };
  for (const header of headers) {
    const database = databaseFor(ospf, iface, header.lsa.type);
    if (database === undefined) {
      restartExchange(ospf, iface, neighbour, `LSA of type ${header.lsa.type}`);
      return;
    }
    const entry = database.get(header.lsa.key);
    if (entry === undefined || compareInstances(header, aged(entry, nowUs)) > 0)
      requests.set(header.lsa.key, header);
  }
  if (exchange.isMaster) {
    exchange.sequence = (exchange.sequence + 1) >>> 0;
    if (!hasMoreToDescribe(neighbour) && !hasMore(description)) endExchange(ospf, iface, neighbour);
    else sendDescription(ospf, iface, neighbour);
  } else {
    exchange.sequence = sequence;
    sendDescription(ospf, iface, neighbour);
    if (!hasMoreToDescribe(neighbour) && !hasMore(description)) endExchange(ospf, iface, neighbour);
  }
  if (exchange.requested.length === 0 && isAtLeast(neighbour, "exchange"))
    sendRequest(ospf, iface, neighbour);
}

/** Event ExchangeDone. */
function endExchange(ospf: Ospf, iface: Interface, neighbour: Neighbour): void {
  ospf.timers.clear("description", neighbour.slot);
  setState(ospf, iface, neighbour, "loading", "exchange done");
  reviewRequests(ospf, iface, neighbour);
}

/** Some LSAs have come: asks for the next ones, or the adjacency is complete (event LoadingDone). */
export function reviewRequests(ospf: Ospf, iface: Interface, neighbour: Neighbour): void {
  const { requests, exchange } = neighbour;
  if (requests.size === 0 && neighbour.state === "loading") {
    ospf.timers.clear("request", neighbour.slot);
    exchange.requested = [];
    setState(ospf, iface, neighbour, "full", "loading done");
  } else if (exchange.requested.every((key) => !requests.has(key))) sendRequest(ospf, iface, neighbour);
}

/** Sends what a neighbour asks for. */
export function receiveRequest(
  ospf: Ospf,
  iface: Interface,
  neighbour: Neighbour,
  names: readonly LsaName[],
): void {
  if (!isAtLeast(neighbour, "exchange")) return;
  const found: Entry[] = [];
  for (const name of names) {
    const entry = findLsa(ospf, iface, { ...name, key: keyOfLsa(name) });
    if (entry === undefined) {
      restartExchange(ospf, iface, neighbour, "bad request");
      return;
    }
    found.push(entry);
  }
  sendUpdates(ospf, iface, directTarget(iface, neighbour), found);
}
