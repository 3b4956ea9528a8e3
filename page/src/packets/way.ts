/**
 * A packet's way through a lab, as the captures show it: each link where the packet was captured, the nodes between them, and what is known
 * about its end. A capture has no direction; the way is the longest chain of links in order of time.
 */
import type { Sighting } from "./model.ts";

export interface WayNode {
  readonly node_id: string;
  readonly name: string;
  readonly node_type: string;
  readonly status: string;
}

export interface WayLink {
  readonly link_id: string;
  readonly ends: readonly [string, string];
  readonly suspend: boolean;
  /** As the interface has them: `{ packet_loss: [10] }`. */
  readonly filters: Readonly<Record<string, readonly (number | string)[]>>;
  /** Whether a capture of this link is among those that are shown. */
  readonly isCaptured: boolean;
  /** Recorded before the link's filters, so that a recorded packet may have been dropped. */
  readonly isTappedBefore: boolean;
}

export interface WayStep {
  readonly kind: "node" | "link";
  readonly id: string;
  readonly name: string;
  /** Seconds on the clock of the list; undefined for the first node. */
  readonly seconds: number | undefined;
  readonly did: string;
  readonly fate: "passed" | "arrived" | "lost" | "unknown";
  /** The packet's place in the link's capture, for links. */
  readonly number?: number;
}

interface Hop {
  readonly link: WayLink;
  readonly sighting: Sighting;
  readonly from: string;
  readonly to: string;
}

/** The service's own routers are containers to clients. */
const ROUTER = /^(router|docker)$/;
/** Nodes that pass packets on. */
const FORWARDING = /switch|hub|router|dynamips|iou|docker|qemu|cloud|nat/;
/** Filters that can drop a packet, in words. */
const DROPPING: Readonly<Record<string, (values: readonly (number | string)[]) => string>> = {
  frequency_drop: ([every]) => (every === -1 ? "drops every packet" : `drops each packet number ${every}`),
  packet_loss: ([percent]) => `loses ${percent} % of the packets`,
  corrupt: ([percent]) => `corrupts ${percent} % of the packets`,
  bpf: ([expression]) => `drops packets that match ${expression}`,
};

export interface WayInput {
  readonly nodes: readonly WayNode[];
  readonly links: readonly WayLink[];
  readonly sightings: readonly Sighting[];
  /** The link of the packet that was selected. */
  readonly linkId: string;
  /** Time to live of the selected packet. */
  readonly ttl: number | undefined;
}

export function wayOf({ nodes, links, sightings, linkId, ttl }: WayInput): WayStep[] {
  const nodeOf = new Map(nodes.map((node) => [node.node_id, node]));
  const linkOf = new Map(links.map((link) => [link.link_id, link]));
  const seen = sightings.flatMap((sighting) => {
    const link = linkOf.get(sighting.linkId);
    return link === undefined ? [] : [{ link, sighting }];
  });
  const chosen = seen.find(({ link }) => link.link_id === linkId);
  if (chosen === undefined) return [];
  const [a, b] = chosen.link.ends;
  const ways = [
    [a, b],
    [b, a],
  ].map(([from, to]) => wayThrough({ ...chosen, from: from!, to: to! }, seen));
  const first = Math.min(...sightings.map(({ seconds }) => seconds));
  const [way] = ways.toSorted((one, other) => rank(other, first, nodeOf) - rank(one, first, nodeOf));
  return toSteps(way!, { nodeOf, links, ttl });
}

/**
 * The more, the likelier is a way: above all it begins with the first sighting of the packet; then it is long; then it begins at a node that
 * does not forward.
 */
function rank(way: readonly Hop[], first: number, nodeOf: ReadonlyMap<string, WayNode>): number {
  const [{ sighting, from }] = way as readonly [Hop];
  const beginsAtEnd = !FORWARDING.test(nodeOf.get(from)?.node_type ?? "");
  return (sighting.seconds === first ? 1000 : 0) + 2 * way.length + (beginsAtEnd ? 1 : 0);
}

interface Seen {
  readonly link: WayLink;
  readonly sighting: Sighting;
}

function wayThrough(hop: Hop, seen: readonly Seen[]): Hop[] {
  const used = new Set([hop.link.link_id]);
  const before = longest(hop.from, hop.sighting.seconds, -1, seen, used);
  for (const each of before) used.add(each.link.link_id);
  const after = longest(hop.to, hop.sighting.seconds, 1, seen, used);
  return [...before.reverse(), hop, ...after];
}

/** Links of a lab on one way are few; a flood has many branches. */
const MOST_HOPS = 32;

/** Returns the longest chain of sightings from a node on: forwards in time with 1, backwards with -1. */
function longest(
  node: string,
  seconds: number,
  sign: 1 | -1,
  seen: readonly Seen[],
  used: ReadonlySet<string>,
): Hop[] {
  if (used.size > MOST_HOPS) return [];
  let best: Hop[] = [];
  for (const { link, sighting } of seen) {
    if (used.has(link.link_id) || !link.ends.includes(node)) continue;
    if ((sighting.seconds - seconds) * sign < 0) continue;
    const other = link.ends[0] === node ? link.ends[1] : link.ends[0];
    const [from, to] = sign === 1 ? [node, other] : [other, node];
    const rest = longest(other, sighting.seconds, sign, seen, new Set([...used, link.link_id]));
    if (rest.length + 1 > best.length) best = [{ link, sighting, from, to }, ...rest];
  }
  return best;
}

interface Lab {
  readonly nodeOf: ReadonlyMap<string, WayNode>;
  readonly links: readonly WayLink[];
  readonly ttl: number | undefined;
}

function toSteps(way: readonly Hop[], lab: Lab): WayStep[] {
  const nameOf = (id: string): string => lab.nodeOf.get(id)?.name ?? id;
  const linkName = (link: WayLink): string => link.ends.map(nameOf).join(" – ");
  const steps: WayStep[] = [];
  for (const [index, { link, sighting, from, to }] of way.entries()) {
    const arrived = way[index - 1]?.sighting;
    steps.push({
      kind: "node",
      id: from,
      name: nameOf(from),
      seconds: arrived?.seconds,
      did:
        arrived === undefined
          ? "sends it"
          : `forwards it after ${milliseconds(sighting.seconds - arrived.seconds)}`,
      fate: "passed",
    });
    const isLast = index === way.length - 1;
    const dropping = isLast && link.isTappedBefore ? droppingOf(link) : [];
    steps.push({
      kind: "link",
      id: link.link_id,
      name: linkName(link),
      seconds: sighting.seconds,
      number: sighting.number,
      did: dropping.length > 0 ? `takes it; the link ${dropping.join(", ")}` : `carries it to ${nameOf(to)}`,
      fate: dropping.length > 0 ? "unknown" : "passed",
    });
  }
  const last = way.at(-1)!;
  steps.push(endOf(last, lab, nameOf, linkName));
  return steps;
}

function endOf(
  { link, sighting, to }: Hop,
  { nodeOf, links, ttl }: Lab,
  nameOf: (id: string) => string,
  linkName: (link: WayLink) => string,
): WayStep {
  const node = nodeOf.get(to);
  const step = { kind: "node", id: to, name: nameOf(to), seconds: sighting.seconds } as const;
  const onward = links.filter((each) => each !== link && each.ends.includes(to));
  if (node !== undefined && node.status !== "started")
    return { ...step, did: `does not take it: ${node.name} is ${node.status}`, fate: "lost" };
  if (onward.length === 0 || !FORWARDING.test(node?.node_type ?? ""))
    return { ...step, did: "takes it", fate: "arrived" };
  if (ROUTER.test(node?.node_type ?? "") && ttl === 1)
    return { ...step, did: "does not forward it: its time to live ends here", fate: "lost" };
  const reasons = onward.map((each) => `${linkName(each)} ${reasonOf(each)}`);
  const isCertain = onward.every((each) => each.suspend);
  return {
    ...step,
    did: `is the last that is known to have it: ${reasons.join("; ")}`,
    fate: isCertain ? "lost" : "unknown",
  };
}

/** Why a packet is not seen on a link behind a node. */
function reasonOf(link: WayLink): string {
  if (link.suspend) return "is suspended";
  const dropping = droppingOf(link);
  if (dropping.length > 0) return dropping.join(", ");
  return link.isCaptured ? "did not carry it" : "has no capture here";
}

const droppingOf = ({ filters }: WayLink): string[] =>
  Object.entries(filters).flatMap(([type, values]) => DROPPING[type]?.(values) ?? []);

const milliseconds = (seconds: number): string => `${(seconds * 1000).toFixed(3)} ms`;
