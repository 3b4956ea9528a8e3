/** An OSPF process between two runs, as plain JSON data. No time passes between runs: times are how long ago, or how soon, something is. */
import { fromHex, toHex } from "../../base/bytes.ts";
import type { Description } from "../../wire/ospf.ts";
import { type Aged, keyOfLsa, type LsaHeader, readLsa } from "../../wire/ospf-lsa.ts";
import type { OspfConfig } from "./config.ts";
import { ageOf, databaseFor } from "./database.ts";
import {
  type Database,
  type Entry,
  type Exchange,
  type Interface,
  type Neighbour,
  newOspf,
  type Ospf,
  type OspfHost,
} from "./state.ts";
import { type SavedTimer, Timers } from "./timers.ts";

const SECOND_US = 1_000_000;

export interface SavedOspf {
  readonly areas: readonly (readonly [id: number, lsas: readonly SavedEntry[]])[];
  readonly external: readonly SavedEntry[];
  readonly interfaces: readonly SavedInterface[];
  readonly timers: readonly SavedTimer[];
  readonly nextSlot: number;
  readonly hasMaxAged: boolean;
  readonly spf: { readonly holds: number; readonly runs: number; readonly lastAgoUs: number | null };
}

/** @param lsa in hexadecimal. */
type SavedEntry = readonly [
  lsa: string,
  age: number,
  agoUs: number,
  installedAgoUs: number,
  isForeign: 0 | 1,
];

type SavedHeader = readonly [
  type: number,
  id: number,
  advertiser: number,
  options: number,
  sequence: number,
  checksum: number,
  length: number,
  age: number,
];

interface SavedInterface
  extends Pick<
    Interface,
    "slot" | "state" | "designated" | "backup" | "isElectionDue" | "isBackupSeen" | "sequence"
  > {
  readonly port: number;
  readonly neighbours: readonly SavedNeighbour[];
  readonly database: readonly SavedEntry[];
  readonly outgoing: readonly string[];
  readonly sentBack: readonly (readonly [key: string, agoUs: number])[];
  readonly acknowledgments: readonly SavedHeader[];
  readonly refused: readonly (readonly [reason: string, count: number])[];
}

interface SavedNeighbour
  extends Pick<
    Neighbour,
    | "slot"
    | "id"
    | "address"
    | "state"
    | "priority"
    | "designated"
    | "backup"
    | "options"
    | "sequence"
    | "attempts"
  > {
  readonly key: number;
  readonly sinceAgoUs: number;
  readonly exchange: SavedExchange;
  readonly requests: readonly SavedHeader[];
  readonly retransmissions: readonly (readonly [key: string, agoUs: number])[];
}

interface SavedExchange extends Pick<Exchange, "isMaster" | "sequence" | "requested"> {
  readonly summary: readonly SavedHeader[];
  readonly lastSent: SavedDescription | null;
  readonly lastReceived: Exchange["lastReceived"] | null;
}

interface SavedDescription extends Omit<Description, "headers"> {
  readonly headers: readonly SavedHeader[];
}

export function saveOspf(ospf: Ospf): SavedOspf {
  const { nowUs } = ospf.host;
  const { holds, runs, lastUs } = ospf.spf;
  return {
    areas: [...ospf.areas].map(([id, { database }]) => [id, saveDatabase(database, nowUs)]),
    external: saveDatabase(ospf.external, nowUs),
    interfaces: [...ospf.interfaces.values()].map((iface) => saveInterface(iface, nowUs)),
    timers: ospf.timers.save(nowUs),
    nextSlot: ospf.nextSlot,
    hasMaxAged: ospf.hasMaxAged,
    spf: { holds, runs, lastAgoUs: lastUs === undefined ? null : nowUs - lastUs },
  };
}

/** Interfaces and areas that the configuration does not have are left out. */
export function restoreOspf(host: OspfHost, config: OspfConfig, saved: SavedOspf): Ospf {
  const { nowUs } = host;
  const areas = new Map(
    config.areas.map((area) => {
      const [, lsas = []] = saved.areas.find(([id]) => id === area.id) ?? [];
      return [area.id, { config: area, database: restoreDatabase(lsas, nowUs) }];
    }),
  );
  const { holds, runs, lastAgoUs } = saved.spf;
  const ospf: Ospf = {
    ...newOspf(host, config),
    config,
    areas,
    external: restoreDatabase(saved.external, nowUs),
    timers: new Timers(saved.timers, nowUs),
    nextSlot: saved.nextSlot,
    hasMaxAged: saved.hasMaxAged,
    spf: { holds, runs, lastUs: lastAgoUs === null ? undefined : nowUs - lastAgoUs },
  };
  for (const each of saved.interfaces) {
    const own = config.interfaces.find(({ port }) => port === each.port);
    if (own !== undefined) restoreInterface(ospf, own, each);
  }
  return ospf;
}

const saveDatabase = (database: Database, nowUs: number): SavedEntry[] =>
  [...database.values()].map((entry) => [
    toHex(entry.lsa.bytes),
    ageOf(entry, nowUs),
    nowUs - entry.atUs - (ageOf(entry, nowUs) - entry.age) * SECOND_US,
    nowUs - entry.installedUs,
    entry.isForeign ? 1 : 0,
  ]);

function restoreDatabase(saved: readonly SavedEntry[], nowUs: number): Database {
  const database: Database = new Map();
  for (const [hex, age, agoUs, installedAgoUs, isForeign] of saved) {
    const bytes = fromHex(hex);
    const read = readLsa(bytes, 0, bytes.length);
    if (read === null) continue;
    const entry: Entry = {
      lsa: read.lsa,
      age,
      atUs: nowUs - agoUs,
      installedUs: nowUs - installedAgoUs,
      isForeign: isForeign === 1,
    };
    database.set(read.lsa.key, entry);
  }
  return database;
}

const saveHeader = ({ lsa, age }: Aged<LsaHeader>): SavedHeader => [
  lsa.type,
  lsa.id,
  lsa.advertiser,
  lsa.options,
  lsa.sequence,
  lsa.checksum,
  lsa.length,
  age,
];

function restoreHeader(saved: SavedHeader): Aged<LsaHeader> {
  const [type, id, advertiser, options, sequence, checksum, length, age] = saved;
  const name = { type, id, advertiser };
  return { lsa: { ...name, key: keyOfLsa(name), options, sequence, checksum, length }, age };
}

const agos = (times: Iterable<readonly [string, number]>, nowUs: number): [string, number][] =>
  [...times].map(([key, atUs]) => [key, nowUs - atUs]);

function saveInterface(iface: Interface, nowUs: number): SavedInterface {
  const { slot, state, designated, backup, isElectionDue, isBackupSeen, sequence } = iface;
  return {
    port: iface.config.port,
    slot,
    state,
    designated,
    backup,
    isElectionDue,
    isBackupSeen,
    sequence,
    neighbours: [...iface.neighbours].map(([key, neighbour]) => saveNeighbour(key, neighbour, nowUs)),
    database: saveDatabase(iface.database, nowUs),
    outgoing: [...iface.outgoing.keys()],
    sentBack: agos(iface.sentBack, nowUs),
    acknowledgments: iface.acknowledgments.map(saveHeader),
    refused: [...iface.refused],
  };
}

function restoreInterface(ospf: Ospf, config: Interface["config"], saved: SavedInterface): void {
  const { nowUs } = ospf.host;
  const { slot, state, designated, backup, isElectionDue, isBackupSeen, sequence } = saved;
  const iface: Interface = {
    config,
    slot,
    state,
    designated,
    backup,
    isElectionDue,
    isBackupSeen,
    sequence,
    neighbours: new Map(),
    database: restoreDatabase(saved.database, nowUs),
    outgoing: new Map(),
    sentBack: new Map(saved.sentBack.map(([key, agoUs]) => [key, nowUs - agoUs])),
    acknowledgments: saved.acknowledgments.map(restoreHeader),
    refused: new Map(saved.refused),
  };
  ospf.interfaces.set(config.port, iface);
  for (const key of saved.outgoing) {
    const entry = findEntry(ospf, iface, key);
    if (entry !== undefined) iface.outgoing.set(key, entry);
  }
  for (const each of saved.neighbours) iface.neighbours.set(each.key, restoreNeighbour(ospf, iface, each));
}

/** What waits to be sent is in a database. */
const findEntry = (ospf: Ospf, iface: Interface, key: string): Entry | undefined =>
  databaseFor(ospf, iface, Number.parseInt(key, 10))?.get(key);

function saveNeighbour(key: number, neighbour: Neighbour, nowUs: number): SavedNeighbour {
  const { slot, id, address, state, priority, designated, backup, options, sequence } = neighbour;
  const { exchange, requests, retransmissions, sinceUs, attempts } = neighbour;
  const { lastSent, lastReceived } = exchange;
  return {
    key,
    slot,
    id,
    address,
    state,
    priority,
    designated,
    backup,
    options,
    sequence,
    sinceAgoUs: nowUs - sinceUs,
    attempts,
    exchange: {
      isMaster: exchange.isMaster,
      sequence: exchange.sequence,
      requested: exchange.requested,
      summary: exchange.summary.map(saveHeader),
      lastSent: lastSent === undefined ? null : { ...lastSent, headers: lastSent.headers.map(saveHeader) },
      lastReceived: lastReceived ?? null,
    },
    requests: [...requests.values()].map(saveHeader),
    retransmissions: [...retransmissions].map(([each, { atUs }]) => [each, nowUs - atUs]),
  };
}

function restoreNeighbour(ospf: Ospf, iface: Interface, saved: SavedNeighbour): Neighbour {
  const { nowUs } = ospf.host;
  const { key: _key, sinceAgoUs, exchange, requests, retransmissions, ...same } = saved;
  const { lastSent, lastReceived, summary, ...others } = exchange;
  return {
    ...same,
    sinceUs: nowUs - sinceAgoUs,
    exchange: {
      ...others,
      summary: summary.map(restoreHeader),
      lastSent: lastSent === null ? undefined : { ...lastSent, headers: lastSent.headers.map(restoreHeader) },
      lastReceived: lastReceived ?? undefined,
    },
    requests: new Map(
      requests.map((each) => {
        const header = restoreHeader(each);
        return [header.lsa.key, header];
      }),
    ),
    retransmissions: new Map(
      retransmissions.flatMap(([key, agoUs]) => {
        const entry = findEntry(ospf, iface, key);
        return entry === undefined ? [] : [[key, { entry, atUs: nowUs - agoUs }] as const];
      }),
    ),
  };
}
