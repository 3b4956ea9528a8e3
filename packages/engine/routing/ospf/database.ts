/** Link state databases (RFC 2328, sections 12 and 14). */
import { OPTION } from "../../wire/ospf.ts";
import { type Aged, LSA, type Lsa, type LsaName, MAX_AGE_S } from "../../wire/ospf-lsa.ts";
import type { Area, Database, Entry, Interface, Ospf } from "./state.ts";

/** Section B. */
export const REFRESH_S = 1_800;
const SECOND_US = 1_000_000;

const EXTERNAL_TYPES: ReadonlySet<number> = new Set([LSA.external, LSA.opaqueSystem]);
const AREA_TYPES: ReadonlySet<number> = new Set([
  LSA.router,
  LSA.network,
  LSA.summaryNetwork,
  LSA.summaryRouter,
  LSA.opaqueArea,
]);

/** How far an LSA is flooded. */
export type Scope = "link" | "area" | "system";

/** Undefined for types that the router does not know, and so neither stores nor floods (section 13, step 2). */
export function scopeOf(type: number): Scope | undefined {
  if (AREA_TYPES.has(type)) return "area";
  if (EXTERNAL_TYPES.has(type)) return "system";
  return type === LSA.opaqueLink ? "link" : undefined;
}

/** The database that has LSAs of a type at an interface; undefined if they do not belong there (section 13, steps 2 and 3). */
export function databaseFor(ospf: Ospf, iface: Interface, type: number): Database | undefined {
  const area = areaOf(ospf, iface);
  switch (scopeOf(type)) {
    case "area":
      return area.database;
    case "system":
      return area.config.kind === "stub" ? undefined : ospf.external;
    case "link":
      return iface.database;
    case undefined:
      return undefined;
  }
}

export const findLsa = (
  ospf: Ospf,
  iface: Interface,
  name: LsaName & { readonly key: string },
): Entry | undefined => databaseFor(ospf, iface, name.type)?.get(name.key);

/** The process has an area for each of its interfaces. */
export const areaOf = (ospf: Ospf, { config }: Interface): Area => ospf.areas.get(config.areaId) as Area;

/** The options that the router states in an area (section A.2). */
export const optionsOf = ({ config }: Area): number => (config.kind === "stub" ? 0 : OPTION.external);

export const ageOf = ({ age, atUs }: Entry, nowUs: number): number =>
  Math.min(MAX_AGE_S, age + Math.floor((nowUs - atUs) / SECOND_US));

export const aged = (entry: Entry, nowUs: number): Aged<Lsa> => ({
  lsa: entry.lsa,
  age: ageOf(entry, nowUs),
});

export const isMaxAge = (entry: Entry, nowUs: number): boolean => ageOf(entry, nowUs) >= MAX_AGE_S;

/** When an entry is to be refreshed, if it is the router's own, or reaches MaxAge. */
export const changesAtUs = (entry: Entry, isOwn: boolean): number =>
  entry.atUs + Math.max(0, (isOwn ? REFRESH_S : MAX_AGE_S) - entry.age) * SECOND_US;

/** The databases with their areas, for walks through all of them. */
export function* allDatabases(ospf: Ospf): Generator<Database> {
  for (const area of ospf.areas.values()) yield area.database;
  yield ospf.external;
  for (const iface of ospf.interfaces.values()) if (iface.database.size > 0) yield iface.database;
}

/** Stores an instance in place of the one before. @returns its entry. */
export function store(
  ospf: Ospf,
  database: Database,
  { lsa, age }: Aged<Lsa>,
  {
    isForeign = false,
    installedUs = ospf.host.nowUs,
  }: Partial<Pick<Entry, "isForeign" | "installedUs">> = {},
): Entry {
  const entry: Entry = { lsa, age, atUs: ospf.host.nowUs, installedUs, isForeign };
  database.set(lsa.key, entry);
  if (age >= MAX_AGE_S) ospf.hasMaxAged = true;
  else {
    const dueUs = changesAtUs(entry, lsa.advertiser === ospf.config.routerId);
    const setUs = ospf.timers.dueUs("age", 0);
    if (setUs === undefined || dueUs < setUs) ospf.timers.set("age", 0, dueUs);
  }
  return entry;
}

/** Whether two instances give the same routes (section 13.2): everything is equal but age, sequence number and checksum. */
export function hasSameContent(a: Aged<Lsa>, b: Aged<Lsa>): boolean {
  if (a.age >= MAX_AGE_S !== b.age >= MAX_AGE_S) return false;
  return hasSameBody(a.lsa, b.lsa);
}

const BODY_AT = 20;

export function hasSameBody(a: Lsa, b: Lsa): boolean {
  if (a === b) return true;
  if (a.options !== b.options || a.length !== b.length) return false;
  for (let at = BODY_AT; at < a.length; at++) if (a.bytes[at] !== b.bytes[at]) return false;
  return true;
}
