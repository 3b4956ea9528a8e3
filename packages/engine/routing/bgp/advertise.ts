/** What neighbours are told (Adj-RIB-Out): the differences since they were last told, in as few messages as hold them. */
import type { Nlri } from "../../wire/bgp.ts";
import type { UpdateForm } from "../../wire/bgp-update.ts";
import { encodeAnnouncements, encodeWithdrawals } from "../../wire/bgp-write-update.ts";
import type { RouteAttributes } from "./attributes.ts";
import { defaultRouteFor, exported, isWithoutPolicy } from "./export.ts";
import { prefixOf } from "./prefix.ts";
import { type Bgp, type Link, type Neighbour, type Path, sessionOf } from "./state.ts";

const SECOND_US = 1_000_000;
const DEFAULT_KEY = 0;

export const formOf = ({ config, hasAs4 }: Neighbour): UpdateForm => ({
  hasAs4,
  session: config.isInternal ? "internal" : "external",
  addPath: [],
});

/** Notes that a route has changed, for all neighbours. */
export function queueFor(bgp: Bgp, key: number): void {
  for (const neighbour of bgp.neighbours.values()) {
    if (sessionOf(neighbour) === undefined) continue;
    neighbour.pending.add(key);
    scheduleAdvertise(bgp, neighbour);
  }
}

/** Lets a neighbour be told of all that it does not know. */
export function advertiseAll(bgp: Bgp, neighbour: Neighbour): void {
  if (sessionOf(neighbour) === undefined) return;
  for (const key of bgp.table.keys()) neighbour.pending.add(key);
  for (const key of neighbour.sent.keys()) neighbour.pending.add(key);
  neighbour.pending.add(DEFAULT_KEY);
  scheduleAdvertise(bgp, neighbour);
}

/** The neighbour asks for all routes again (RFC 2918). */
export function repeatAll(bgp: Bgp, neighbour: Neighbour): void {
  if (sessionOf(neighbour) === undefined) return;
  advertise(bgp, neighbour);
  neighbour.sent.clear();
  advertiseAll(bgp, neighbour);
}

/** RFC 4271, section 9.2.1.1: two messages about routes are some time apart. */
function scheduleAdvertise({ timers, host }: Bgp, { config, advertisedUs }: Neighbour): void {
  const earliestUs =
    advertisedUs === undefined ? host.nowUs : advertisedUs + config.advertisementSeconds * SECOND_US;
  timers.begin("advertise", config.address, Math.max(host.nowUs, earliestUs), true);
}

export function advertise(bgp: Bgp, neighbour: Neighbour): void {
  const link = sessionOf(neighbour);
  if (link === undefined || neighbour.pending.size === 0) return;
  const keys = [...neighbour.pending];
  neighbour.pending.clear();
  neighbour.advertisedUs = bgp.host.nowUs;
  const withdrawn: Nlri[] = [];
  const announced = new Map<RouteAttributes, Nlri[]>();
  const wanted = wantedBy(bgp, neighbour);
  for (const key of keys) {
    const attributes = wanted(key);
    const before = neighbour.sent.get(key);
    if (attributes === before) continue;
    const { network, length } = prefixOf(key);
    const nlri = { family: "ipv4", address: network, length } as const;
    if (attributes === undefined) {
      neighbour.sent.delete(key);
      withdrawn.push(nlri);
    } else {
      neighbour.sent.set(key, attributes);
      const alike = announced.get(attributes);
      if (alike === undefined) announced.set(attributes, [nlri]);
      else alike.push(nlri);
    }
  }
  for (const message of encodeWithdrawals(withdrawn)) sendUpdate(bgp, neighbour, link, message);
  for (const [attributes, prefixes] of announced) announce(bgp, neighbour, link, attributes, prefixes);
}

function announce(
  bgp: Bgp,
  neighbour: Neighbour,
  link: Link,
  attributes: RouteAttributes,
  prefixes: readonly Nlri[],
): void {
  const address = attributes.nextHop === 0 ? bgp.host.sourceOf(link.connection) : attributes.nextHop;
  const messages = encodeAnnouncements(attributes, { family: "ipv4", address }, prefixes, formOf(neighbour));
  if (messages === null)
    bgp.host.warn("the attributes of a route do not fit in a message: it is not announced");
  else for (const message of messages) sendUpdate(bgp, neighbour, link, message);
}

function sendUpdate(bgp: Bgp, neighbour: Neighbour, link: Link, message: Uint8Array): void {
  neighbour.counters.sent += 1;
  neighbour.counters.updatesSent += 1;
  bgp.host.send(link.connection, message);
}

/** Returns what the neighbour is to know of a prefix. Without a policy, routes with the same attributes and origin are told alike. */
function wantedBy(bgp: Bgp, to: Neighbour): (key: number) => RouteAttributes | undefined {
  const known = new Map<Neighbour | undefined, Map<RouteAttributes, RouteAttributes | undefined>>();
  const ofPath = (path: Path, key: number): RouteAttributes | undefined => {
    if (to.config.policyOut !== undefined) return exported(bgp, to, path, prefixOf(key));
    const byAttributes = known.get(path.neighbour) ?? new Map();
    known.set(path.neighbour, byAttributes);
    if (!byAttributes.has(path.attributes))
      byAttributes.set(path.attributes, exported(bgp, to, path, prefixOf(key)));
    return byAttributes.get(path.attributes);
  };
  return (key) => {
    const isDefault = key === DEFAULT_KEY && to.config.originatesDefault;
    if (isDefault && !isWithoutPolicy(bgp, to, "out")) return defaultRouteFor(bgp, to);
    const best = bgp.table.get(key)?.best;
    return best === undefined ? undefined : ofPath(best, key);
  };
}
