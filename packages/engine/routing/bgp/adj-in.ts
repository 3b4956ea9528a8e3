/** The routes that neighbours announce: which are taken, and when they go (RFC 4271, section 9; RFC 4456, section 8). */

import { CEASE } from "../../wire/bgp.ts";
import type { BgpUpdate } from "../../wire/bgp-update.ts";
import type { RouteAttributes } from "./attributes.ts";
import { MAX_PREFIXES } from "./limits.ts";
import { cease } from "./notifications.ts";
import { countOf, lastOf, prepended } from "./paths.ts";
import { type Prefix, prefixKey, prefixOf } from "./prefix.ts";
import type { Bgp, Neighbour } from "./state.ts";
import { setPath } from "./table.ts";

/** @returns why the session ends, if the neighbour announces too many prefixes. */
export function takeUpdate(bgp: Bgp, neighbour: Neighbour, update: BgpUpdate) {
  for (const each of update.withdrawn)
    if (each.family === "ipv4") withdraw(bgp, neighbour, { network: each.address, length: each.length });
  const { attributes } = update;
  if (attributes === null) return undefined;
  for (const { nextHop, prefixes } of update.announced) {
    if (nextHop.family !== "ipv4") continue;
    const given = bgp.interning.intern({ ...attributes, nextHop: nextHop.address });
    const isTaken = !isRefused(bgp, neighbour, given);
    for (const each of prefixes) {
      if (each.family !== "ipv4") continue;
      const prefix = { network: each.address, length: each.length };
      if (isTaken) take(bgp, neighbour, prefix, given);
      else withdraw(bgp, neighbour, prefix);
    }
    if (isTaken && isOverLimit(bgp, neighbour)) return cease(CEASE.maximumPrefixes);
  }
  return undefined;
}

/** A loop, or a next hop that no route can have. */
function isRefused({ config, host }: Bgp, { config: own }: Neighbour, given: RouteAttributes): boolean {
  const { asPath, nextHop, originatorId, clusterList } = given;
  const count = Math.max(
    countOf(asPath, config.as),
    own.localAs === undefined ? 0 : countOf(asPath, own.localAs.as),
  );
  const isLoop = own.allowsOrigin && count > 0 ? lastOf(asPath) !== config.as : count > own.allowedOwnAs;
  if (isLoop) return true;
  if (own.isInternal && (originatorId === config.routerId || clusterList.includes(config.clusterId)))
    return true;
  return isMartian(nextHop) || host.isOwn(nextHop);
}

/** 0.0.0.0/8, 127.0.0.0/8, multicast and beyond. */
const isMartian = (address: number): boolean => {
  const first = address >>> 24;
  return first === 0 || first === 127 || first >= 224;
};

function take(bgp: Bgp, neighbour: Neighbour, prefix: Prefix, given: RouteAttributes): void {
  const key = prefixKey(prefix);
  if (!bgp.table.has(key) && bgp.table.size >= MAX_PREFIXES) {
    if (!bgp.isFull)
      bgp.host.warn(`the table has ${MAX_PREFIXES} prefixes, the limit: further ones are not taken`);
    bgp.isFull = true;
    return;
  }
  if (neighbour.received.get(key) === given) return;
  neighbour.received.set(key, given);
  consider(bgp, neighbour, prefix, given);
}

/** Lets a route of a neighbour into the table, if the policy does. */
function consider(bgp: Bgp, neighbour: Neighbour, prefix: Prefix, given: RouteAttributes): void {
  const { config } = neighbour;
  const isClosed = bgp.config.requiresPolicy && !config.isInternal && config.policyIn === undefined;
  const own = { attributes: withLocalAs(given, neighbour), weight: config.weight ?? 0 };
  const judged = config.policyIn === undefined ? own : config.policyIn(own, prefix);
  const path = isClosed ? undefined : judged;
  setPath(
    bgp,
    prefix,
    neighbour,
    path && { attributes: bgp.interning.intern(path.attributes), weight: path.weight },
  );
}

function withLocalAs(given: RouteAttributes, { config: { localAs } }: Neighbour): RouteAttributes {
  if (localAs === undefined || localAs.noPrepend) return given;
  return { ...given, asPath: prepended(given.asPath, localAs.as) };
}

function withdraw(bgp: Bgp, neighbour: Neighbour, prefix: Prefix): void {
  if (neighbour.received.delete(prefixKey(prefix))) setPath(bgp, prefix, neighbour, undefined);
}

const HUNDRED = 100;

function isOverLimit(bgp: Bgp, neighbour: Neighbour): boolean {
  const { maximumPrefixes, address } = neighbour.config;
  if (maximumPrefixes === undefined) return false;
  const { most, warnsOnly, percent } = maximumPrefixes;
  const { size } = neighbour.received;
  if (size * HUNDRED > most * percent && !neighbour.hasWarnedOfLimit) {
    neighbour.hasWarnedOfLimit = true;
    bgp.host.warn(`${nameOf(address)} announces ${size} prefixes, and the limit is ${most}`);
  }
  return size > most && !warnsOnly;
}

const nameOf = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");

/** The session is over. */
export function forgetRoutes(bgp: Bgp, neighbour: Neighbour): void {
  const keys = [...neighbour.received.keys()];
  neighbour.received.clear();
  for (const key of keys) setPath(bgp, prefixOf(key), neighbour, undefined);
}

/** Another policy applies to what the neighbour has announced. */
export function reconsider(bgp: Bgp, neighbour: Neighbour): void {
  for (const [key, given] of neighbour.received) consider(bgp, neighbour, prefixOf(key), given);
}
