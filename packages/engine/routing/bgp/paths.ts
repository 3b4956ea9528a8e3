/** Questions about AS paths, and paths that a router makes of others. */
import { type AsSegment, SEGMENT } from "../../wire/bgp-attributes.ts";

export type AsPath = readonly AsSegment[];

/** RFC 4271, section 4.3: a segment has at most this many numbers. */
const MAX_SYSTEMS = 255;

/** The neighbouring AS of a route; undefined if it begins in the own AS, or with a set. */
export const firstOf = (path: AsPath): number | undefined => {
  const first = path.find(({ type }) => type === SEGMENT.sequence || type === SEGMENT.set);
  return first?.type === SEGMENT.sequence ? first.systems[0] : undefined;
};

export const countOf = (path: AsPath, system: number): number =>
  path.reduce((sum, { systems }) => sum + systems.filter((each) => each === system).length, 0);

export const lastOf = (path: AsPath): number | undefined => path.at(-1)?.systems.at(-1);

export function prepended(path: AsPath, ...systems: readonly number[]): AsPath {
  const [first, ...others] = path;
  const isFull = first !== undefined && first.systems.length + systems.length > MAX_SYSTEMS;
  if (first?.type !== SEGMENT.sequence || isFull) return [{ type: SEGMENT.sequence, systems }, ...path];
  return [{ type: SEGMENT.sequence, systems: [...systems, ...first.systems] }, ...others];
}

/** RFC 6996. */
const isPrivate = (system: number): boolean =>
  (system >= 64_512 && system <= 65_534) || (system >= 4_200_000_000 && system <= 4_294_967_294);

/**
 * As FRR: without `all`, a path that has public numbers, too, stays as it is. The neighbour's own number is never removed.
 * @param replaceBy undefined removes the numbers.
 */
export function withoutPrivate(
  path: AsPath,
  all: boolean,
  peer: number,
  replaceBy: number | undefined,
): AsPath {
  const systems = path.flatMap((segment) => segment.systems);
  if (!all && !systems.every(isPrivate)) return path;
  const changed = path.map((segment) => ({
    ...segment,
    systems: segment.systems.flatMap((each) => {
      if (!isPrivate(each) || each === peer) return [each];
      return replaceBy === undefined ? [] : [replaceBy];
    }),
  }));
  return changed.filter((segment) => segment.systems.length > 0);
}
