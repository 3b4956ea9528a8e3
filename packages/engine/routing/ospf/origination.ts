/** Own LSAs: originated, refreshed and withdrawn so that the databases have what the router is to announce (RFC 2328, sections 12.4 and 14.1). */
import {
  INITIAL_SEQUENCE,
  keyOfLsa,
  type Lsa,
  MAX_AGE_S,
  MAX_SEQUENCE,
  makeLsa,
} from "../../wire/ospf-lsa.ts";
import {
  ageOf,
  allDatabases,
  changesAtUs,
  hasSameBody,
  isMaxAge,
  optionsOf,
  REFRESH_S,
  store,
} from "./database.ts";
import { flood, forgetInstance } from "./flooding.ts";
import { networkLsas, routerLsa, type Wanted } from "./own-links.ts";
import { externalLsas, summaryLsas } from "./own-summaries.ts";
import type { RoutingTable } from "./routing-table.ts";
import { changeRoutes } from "./spf-schedule.ts";
import type { Area, Database, Ospf } from "./state.ts";
import { isSelfOriginated } from "./update.ts";

/** @param tableOf the routes, which border routers announce between areas. */
export function originate(ospf: Ospf, tableOf: () => RoutingTable): void {
  for (const area of ospf.areas.values()) {
    const options = optionsOf(area);
    const wanted = [routerLsa(ospf, area, options), ...networkLsas(ospf, area, options)];
    if (ospf.areas.size > 1) wanted.push(...summaryLsas(ospf, area, options, tableOf()));
    bring(ospf, area.database, wanted, area);
  }
  const [normal] = [...ospf.areas.values()].filter(({ config }) => config.kind !== "stub");
  bring(ospf, ospf.external, normal === undefined ? [] : externalLsas(ospf, optionsOf(normal)), undefined);
}

/** Makes the own LSAs of a database those that are wanted. */
function bring(ospf: Ospf, database: Database, wanted: readonly Wanted[], area: Area | undefined): void {
  const advertiser = ospf.config.routerId;
  const keys = new Set<string>();
  for (const each of wanted) {
    const key = keyOfLsa({ ...each, advertiser });
    keys.add(key);
    bringOne(ospf, database, each, key, area);
  }
  for (const entry of database.values()) {
    const { lsa } = entry;
    if (!isManaged(lsa) || keys.has(lsa.key) || !isSelfOriginated(ospf, lsa)) continue;
    if (!isMaxAge(entry, ospf.host.nowUs)) withdraw(ospf, database, lsa, area);
  }
}

/** Opaque LSAs belong to applications that the router does not have. */
const isManaged = ({ body }: Lsa): boolean => body.kind !== "opaque";

function bringOne(ospf: Ospf, database: Database, each: Wanted, key: string, area: Area | undefined): void {
  const { nowUs } = ospf.host;
  const before = database.get(key);
  const sequence = before === undefined ? INITIAL_SEQUENCE : before.lsa.sequence + 1;
  const isOld = before !== undefined && ageOf(before, nowUs) >= REFRESH_S;
  if (before !== undefined && before.lsa.sequence === MAX_SEQUENCE) {
    // Section 12.1.6: the last number is withdrawn first, then the numbers begin anew.
    if (!isMaxAge(before, nowUs)) withdraw(ospf, database, before.lsa, area);
    return;
  }
  const lsa = makeLsa({ ...each, advertiser: ospf.config.routerId, sequence }, each.body);
  if (before !== undefined && !isOld && !before.isForeign && hasSameBody(before.lsa, lsa)) return;
  // MinLSInterval.
  const atUs =
    before === undefined ? nowUs : before.installedUs + ospf.config.timers.minLsaIntervalMs * 1_000;
  if (atUs > nowUs && before !== undefined && !isMaxAge(before, nowUs)) {
    // Two routers with one id correct each other forever: a run of the lab does not wait for them.
    ospf.timers.begin(before.isForeign ? "correct" : "originate", 0, atUs);
    return;
  }
  const isChange = before === undefined || isMaxAge(before, nowUs) || !hasSameBody(before.lsa, lsa);
  forgetInstance(ospf, database, lsa);
  flood(ospf, store(ospf, database, { lsa, age: 0 }), area === undefined ? {} : { area });
  if (isChange) changeRoutes(ospf, lsa);
}

/** Premature aging (section 14.1): floods the LSA with MaxAge, so that all routers remove it. */
function withdraw(ospf: Ospf, database: Database, lsa: Lsa, area: Area | undefined): void {
  forgetInstance(ospf, database, lsa);
  flood(ospf, store(ospf, database, { lsa, age: MAX_AGE_S }), area === undefined ? {} : { area });
  changeRoutes(ospf, lsa);
}

/** Refreshes own LSAs that are old enough, floods LSAs that have reached MaxAge (section 14), and sets the next time. */
export function ageDatabases(ospf: Ospf): void {
  const { nowUs } = ospf.host;
  let nextUs = Number.POSITIVE_INFINITY;
  for (const database of allDatabases(ospf)) {
    const area = [...ospf.areas.values()].find((each) => each.database === database);
    const link = [...ospf.interfaces.values()].find((each) => each.database === database);
    for (const entry of database.values()) {
      const isOwn = entry.lsa.advertiser === ospf.config.routerId;
      if (entry.age >= MAX_AGE_S) continue;
      const atUs = changesAtUs(entry, isOwn);
      if (atUs > nowUs) nextUs = Math.min(nextUs, atUs);
      else if (isOwn) ospf.isOriginationDue = true;
      else {
        forgetInstance(ospf, database, entry.lsa);
        const old = store(ospf, database, { lsa: entry.lsa, age: MAX_AGE_S });
        flood(ospf, old, { ...(area && { area }), ...(link && { link }) });
        changeRoutes(ospf, entry.lsa);
      }
    }
  }
  if (nextUs < Number.POSITIVE_INFINITY) ospf.timers.set("age", 0, nextUs);
}

/** Removes LSAs of MaxAge that no neighbour has to acknowledge, while none describes its database (section 14). */
export function removeMaxAged(ospf: Ospf): void {
  if (!ospf.hasMaxAged) return;
  const { nowUs } = ospf.host;
  const neighbours = [...ospf.interfaces.values()].flatMap((iface) => [...iface.neighbours.values()]);
  if (neighbours.some((each) => each.state === "exchange" || each.state === "loading")) return;
  ospf.hasMaxAged = false;
  for (const database of allDatabases(ospf))
    for (const [key, entry] of database) {
      if (!isMaxAge(entry, nowUs)) continue;
      const isAwaited = neighbours.some(({ retransmissions }) => retransmissions.get(key)?.entry === entry);
      if (isAwaited) ospf.hasMaxAged = true;
      else {
        database.delete(key);
        if (isSelfOriginated(ospf, entry.lsa)) ospf.isOriginationDue = true;
      }
    }
}
