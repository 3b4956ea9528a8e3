/**
 * The counters of a project's links, as items hold them: parts of a few links each, so that a run writes little, however large the lab is.
 * A kilobyte, the unit of a write, holds a part of 7 links. From 50 parts on, parts grow instead, because they are written in the
 * transaction that commits a run. Links that are counted together first are in one part.
 */

import type { LinkCounters } from "../../schemas/link.ts";

/** What entered a direction of a link, what reached the other end, and what the link dropped: packets and bytes of each. */
export type DirectionCounts = readonly [
  inPackets: number,
  inBytes: number,
  deliveredPackets: number,
  deliveredBytes: number,
  droppedPackets: number,
  droppedBytes: number,
];

type Traffic = Readonly<Record<"packets" | "bytes", number>>;

export const toCounts = ({
  entered,
  delivered,
  dropped,
}: Readonly<Record<"entered" | "delivered" | "dropped", Traffic>>): DirectionCounts => [
  ...([entered.packets, entered.bytes] as const),
  ...([delivered.packets, delivered.bytes] as const),
  ...([dropped.packets, dropped.bytes] as const),
];

/** What a run adds to the counters of a link. */
export interface LinkCounts {
  readonly link_id: string;
  /** Distinguishes a link from a deleted one that had the same id. */
  readonly created_us: number;
  readonly a_to_b: DirectionCounts;
  readonly b_to_a: DirectionCounts;
}

/** The run is that of the project when the counts were written; absent in labs that have had no large run. */
type CountsOfLink = readonly [createdUs: number, aToB: DirectionCounts, bToA: DirectionCounts, run?: number];

/** By link id. */
export type StoredCounts = Readonly<Record<string, CountsOfLink>>;

export interface CountPart {
  readonly part: number;
  /** Undefined before the part is first stored. */
  readonly revision: number | undefined;
  readonly links: StoredCounts;
}

const LINKS_PER_PART = 7;
export const MAX_PARTS = 50;

/** What a large run has left of the counts of a link: lab-states.ts. */
export interface CountsBeside {
  countsOf(
    linkId: string,
    createdUs: number,
  ): { readonly run: number; readonly counts: readonly [DirectionCounts, DirectionCounts] } | undefined;
}

/** Returns the counters of a link; zeros if there are none, or those of a deleted link that had the id. */
export function countsOf(
  parts: readonly CountPart[],
  beside: CountsBeside,
  link: Pick<LinkCounts, "link_id" | "created_us">,
): Pick<LinkCounts, "a_to_b" | "b_to_a"> {
  const newest = newestOf(partOf(parts, link.link_id)?.links[link.link_id], beside, link);
  return newest ? toDirections(newest) : { a_to_b: NOTHING, b_to_a: NOTHING };
}

/** Returns the newer of the item's counts and those beside it; undefined if they are those of a deleted link. */
function newestOf(
  stored: CountsOfLink | undefined,
  beside: CountsBeside,
  { link_id, created_us }: Pick<LinkCounts, "link_id" | "created_us">,
): CountsOfLink | undefined {
  const own = stored?.[0] === created_us ? stored : undefined;
  const other = beside.countsOf(link_id, created_us);
  return other && other.run > (own?.[3] ?? -1) ? [created_us, ...other.counts] : own;
}

/** Returns the counts of links after a run has added to them, as the large run stores them. */
export const countsAfter = (
  parts: readonly CountPart[],
  beside: CountsBeside,
  added: readonly LinkCounts[],
): {
  readonly id: string;
  readonly created_us: number;
  readonly value: readonly [DirectionCounts, DirectionCounts];
}[] =>
  added.map((link) => {
    const before = countsOf(parts, beside, link);
    const value = [sum(before.a_to_b, link.a_to_b), sum(before.b_to_a, link.b_to_a)] as const;
    return { id: link.link_id, created_us: link.created_us, value };
  });

export const NOTHING: DirectionCounts = [0, 0, 0, 0, 0, 0];

export const toDirections = ([, a_to_b, b_to_a]: CountsOfLink): Pick<LinkCounts, "a_to_b" | "b_to_a"> => ({
  a_to_b,
  b_to_a,
});

/** Returns the counters as the routes and the events show them. */
export const toLinkCounters = (
  link_id: string,
  { a_to_b, b_to_a }: Pick<LinkCounts, "a_to_b" | "b_to_a">,
): LinkCounters => ({ link_id, a_to_b: shown(a_to_b), b_to_a: shown(b_to_a) });

const shown = (counts: DirectionCounts): LinkCounters["a_to_b"] => {
  const [inPackets, inBytes, deliveredPackets, deliveredBytes, droppedPackets, droppedBytes] = counts;
  return {
    in: { packets: inPackets, bytes: inBytes },
    delivered: { packets: deliveredPackets, bytes: deliveredBytes },
    dropped: { packets: droppedPackets, bytes: droppedBytes },
  };
};

/** Returns how many links the parts hold that are not there yet. */
export const newLinks = (parts: readonly CountPart[], added: readonly LinkCounts[]): number =>
  added.filter(({ link_id }) => partOf(parts, link_id) === undefined).length;

/** Returns the parts that change. @param run the number of the run, if the project has had a large one. */
export function addCounts(
  parts: readonly CountPart[],
  beside: CountsBeside,
  added: readonly LinkCounts[],
  run?: number,
): CountPart[] {
  const all = new Map(parts.map((each) => [each.part, each]));
  const changed = new Set<number>();
  for (const counts of added) {
    const { part, revision, links } = partOf(all.values(), counts.link_id) ?? partWithRoom(all);
    const stored = add(newestOf(links[counts.link_id], beside, counts), counts, run);
    all.set(part, { part, revision, links: { ...links, [counts.link_id]: stored } });
    changed.add(part);
  }
  return [...changed].map((part) => all.get(part)!);
}

/** Returns the parts without the counters of deleted links, and which of them this changes. */
export function withoutDeleted(
  parts: readonly CountPart[],
  createdUs: ReadonlyMap<string, number>,
): { readonly parts: CountPart[]; readonly changed: ReadonlySet<number> } {
  const changed = new Set<number>();
  const left = parts.map((each) => {
    const kept = Object.entries(each.links).filter(([id, [created]]) => createdUs.get(id) === created);
    if (kept.length === Object.keys(each.links).length) return each;
    changed.add(each.part);
    return { ...each, links: Object.fromEntries(kept) };
  });
  return { parts: left, changed };
}

function partOf(parts: Iterable<CountPart>, linkId: string): CountPart | undefined {
  for (const part of parts) if (Object.hasOwn(part.links, linkId)) return part;
  return undefined;
}

function partWithRoom(parts: ReadonlyMap<number, CountPart>): CountPart {
  let least: CountPart | undefined;
  for (let number = 0; number < MAX_PARTS; number++) {
    const part = parts.get(number) ?? { part: number, revision: undefined, links: {} };
    if (sizeOf(part) < LINKS_PER_PART) return part;
    if (least === undefined || sizeOf(part) < sizeOf(least)) least = part;
  }
  return least!;
}

const sizeOf = ({ links }: CountPart): number => Object.keys(links).length;

function add(
  before: CountsOfLink | undefined,
  { created_us, a_to_b, b_to_a }: LinkCounts,
  run: number | undefined,
): CountsOfLink {
  const after = before
    ? ([sum(before[1], a_to_b), sum(before[2], b_to_a)] as const)
    : ([a_to_b, b_to_a] as const);
  return run === undefined ? [created_us, ...after] : [created_us, ...after, run];
}

const sum = (one: DirectionCounts, other: DirectionCounts): DirectionCounts => [
  one[0] + other[0],
  one[1] + other[1],
  one[2] + other[2],
  one[3] + other[3],
  one[4] + other[4],
  one[5] + other[5],
];
