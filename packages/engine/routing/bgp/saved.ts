/** A BGP process between two runs, as plain JSON data. No time passes between runs: times are how long ago, or how soon, something is. */
import { fromHex, toHex } from "../../base/bytes.ts";
import type { BgpNotification } from "../../wire/bgp.ts";
import type { RouteAttributes } from "./attributes.ts";
import type { BgpConfig } from "./config.ts";
import { prefixKey } from "./prefix.ts";
import {
  type AttributeTable,
  readAttributeTable,
  type SavedAttributes,
  writeAttributeTable,
} from "./saved-attributes.ts";
import { restoreLink, type SavedLink, saveLink } from "./saved-link.ts";
import {
  type Bgp,
  type BgpHost,
  type Entry,
  type Neighbour,
  newBgp,
  newNeighbour,
  type Path,
  type Resolved,
} from "./state.ts";
import { type SavedTimer, Timers } from "./timers.ts";

export interface SavedBgp {
  readonly attributes: readonly SavedAttributes[];
  readonly neighbours: readonly SavedNeighbour[];
  readonly table: readonly SavedEntry[];
  readonly changed: readonly number[];
  readonly timers: readonly SavedTimer[];
  readonly nextHops: readonly (readonly [address: number, way: Resolved | null])[];
  readonly nextOrder: number;
  readonly isFull: boolean;
}

/** @param at the place of its attributes. */
type SavedRoute = readonly [key: number, at: number];
type SavedPath = readonly [neighbour: number, at: number, weight: number, agoUs: number, order: number];

interface SavedEntry {
  readonly key: readonly [network: number, length: number];
  readonly paths: readonly SavedPath[];
  /** Places in `paths`; -1: none, or one that is gone. */
  readonly best: number;
  readonly told: number;
  readonly multipath: readonly number[];
  readonly reason?: string;
  readonly isInstalled: boolean;
}

type Same =
  | "waiting"
  | "failures"
  | "backoffSeconds"
  | "keepaliveSeconds"
  | "holdSeconds"
  | "remoteAs"
  | "identifier"
  | "hasAs4"
  | "takesRefresh"
  | "isOverLimit"
  | "hasWarnedOfLimit"
  | "counters";

interface SavedNeighbour extends Pick<Neighbour, Same> {
  readonly address: number;
  readonly links: readonly SavedLink[];
  readonly sinceAgoUs: number | null;
  readonly advertisedAgoUs: number | null;
  readonly lastReset?: string;
  readonly lastNotification?: {
    readonly isSent: boolean;
    readonly notification: Omit<BgpNotification, "data"> & { readonly data: string };
  };
  readonly received: readonly SavedRoute[];
  readonly sent: readonly SavedRoute[];
  readonly pending: readonly number[];
}

export function saveBgp(bgp: Bgp): SavedBgp {
  const { host, neighbours, table, changed, timers, nextHops, nextOrder, isFull } = bgp;
  const attributes: AttributeTable = new Map();
  return {
    neighbours: [...neighbours.values()].map((each) => saveNeighbour(each, attributes, host.nowUs)),
    table: [...table.values()].map((entry) => saveEntry(entry, attributes, host.nowUs)),
    attributes: writeAttributeTable(attributes),
    changed: [...changed],
    timers: timers.save(host.nowUs),
    nextHops: [...nextHops].map(([address, way]) => [address, way ?? null]),
    nextOrder,
    isFull,
  };
}

function placeOf(table: AttributeTable, attributes: RouteAttributes): number {
  const known = table.get(attributes);
  if (known !== undefined) return known;
  table.set(attributes, table.size);
  return table.size - 1;
}

const agoOf = (us: number | undefined, nowUs: number): number | null =>
  us === undefined ? null : nowUs - us;
const timeOf = (agoUs: number | null, nowUs: number): number | undefined =>
  agoUs === null ? undefined : nowUs - agoUs;

function saveNeighbour(neighbour: Neighbour, table: AttributeTable, nowUs: number): SavedNeighbour {
  const { config, links, sinceUs, advertisedUs, lastReset, lastNotification } = neighbour;
  const { received, sent, pending, ...same } = neighbour;
  const routes = (of: ReadonlyMap<number, RouteAttributes>): SavedRoute[] =>
    [...of].map(([key, attributes]) => [key, placeOf(table, attributes)]);
  return {
    address: config.address,
    ...pick(same),
    links: links.map(saveLink),
    sinceAgoUs: agoOf(sinceUs, nowUs),
    advertisedAgoUs: agoOf(advertisedUs, nowUs),
    ...(lastReset !== undefined && { lastReset }),
    ...(lastNotification !== undefined && {
      lastNotification: {
        isSent: lastNotification.isSent,
        notification: {
          ...lastNotification.notification,
          data: toHex(lastNotification.notification.data),
        },
      },
    }),
    received: routes(received),
    sent: routes(sent),
    pending: [...pending],
  };
}

const pick = (of: Pick<Neighbour, Same>): Pick<Neighbour, Same> => ({
  waiting: of.waiting,
  failures: of.failures,
  backoffSeconds: of.backoffSeconds,
  keepaliveSeconds: of.keepaliveSeconds,
  holdSeconds: of.holdSeconds,
  remoteAs: of.remoteAs,
  identifier: of.identifier,
  hasAs4: of.hasAs4,
  takesRefresh: of.takesRefresh,
  isOverLimit: of.isOverLimit,
  hasWarnedOfLimit: of.hasWarnedOfLimit,
  counters: { ...of.counters },
});

function saveEntry(entry: Entry, table: AttributeTable, nowUs: number): SavedEntry {
  const { network, length, paths, best, told, multipath, reason, isInstalled } = entry;
  const indexOf = (path: Path | undefined): number => (path === undefined ? -1 : paths.indexOf(path));
  return {
    key: [network, length],
    paths: paths.map(({ neighbour, attributes, weight, sinceUs, order }) => [
      neighbour?.config.address ?? 0,
      placeOf(table, attributes),
      weight,
      nowUs - sinceUs,
      order,
    ]),
    best: indexOf(best),
    told: indexOf(told),
    multipath: multipath.map(indexOf),
    ...(reason !== undefined && { reason }),
    isInstalled,
  };
}

/** Neighbours that the configuration does not have are left out, with their routes. */
export function restoreBgp(host: BgpHost, config: BgpConfig, saved: SavedBgp): Bgp {
  const { nowUs } = host;
  const bgp: Bgp = {
    ...newBgp(host, config),
    timers: new Timers(saved.timers, nowUs),
    changed: new Set(saved.changed),
    nextHops: new Map(saved.nextHops.map(([address, way]) => [address, way ?? undefined])),
    nextOrder: saved.nextOrder,
    isFull: saved.isFull,
  };
  const attributes = readAttributeTable(saved.attributes).map((each) => bgp.interning.intern(each));
  for (const own of config.neighbours) {
    const before = saved.neighbours.find(({ address }) => address === own.address);
    const neighbour = newNeighbour(own);
    bgp.neighbours.set(own.address, neighbour);
    if (before !== undefined) restoreNeighbour(neighbour, before, attributes, nowUs);
  }
  for (const each of saved.table) restoreEntry(bgp, each, attributes);
  return bgp;
}

function restoreNeighbour(
  neighbour: Neighbour,
  saved: SavedNeighbour,
  attributes: readonly RouteAttributes[],
  nowUs: number,
): void {
  const { lastNotification } = saved;
  Object.assign(neighbour, pick(saved));
  neighbour.links = saved.links.map(restoreLink);
  neighbour.sinceUs = timeOf(saved.sinceAgoUs, nowUs);
  neighbour.advertisedUs = timeOf(saved.advertisedAgoUs, nowUs);
  neighbour.lastReset = saved.lastReset;
  neighbour.lastNotification = lastNotification && {
    isSent: lastNotification.isSent,
    notification: { ...lastNotification.notification, data: fromHex(lastNotification.notification.data) },
  };
  for (const [key, at] of saved.received) neighbour.received.set(key, attributes[at]!);
  for (const [key, at] of saved.sent) neighbour.sent.set(key, attributes[at]!);
  for (const key of saved.pending) neighbour.pending.add(key);
}

function restoreEntry(bgp: Bgp, saved: SavedEntry, attributes: readonly RouteAttributes[]): void {
  const [network, length] = saved.key;
  const all = saved.paths.map(([address, at, weight, agoUs, order]): Path | undefined => {
    const neighbour = address === 0 ? undefined : bgp.neighbours.get(address);
    if (address !== 0 && neighbour === undefined) return undefined;
    return { neighbour, attributes: attributes[at]!, weight, sinceUs: bgp.host.nowUs - agoUs, order };
  });
  const paths = all.filter((path) => path !== undefined);
  const entry: Entry = {
    network,
    length,
    paths,
    best: all[saved.best],
    told: all[saved.told],
    multipath: saved.multipath.flatMap((at) => all[at] ?? []),
    reason: saved.reason,
    isInstalled: saved.isInstalled,
  };
  bgp.table.set(prefixKey(entry), entry);
}
