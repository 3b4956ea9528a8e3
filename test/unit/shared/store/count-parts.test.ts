/** How counters of links lie in parts. */
import { describe, expect, test } from "vitest";
import {
  addCounts,
  type CountPart,
  countsAfter,
  countsOf,
  type DirectionCounts,
  type LinkCounts,
  MAX_PARTS,
  newLinks,
  toCounts,
  toLinkCounters,
  withoutDeleted,
} from "../../../../functions/shared/store/commit/count-parts.ts";
import { LabStates } from "../../../../functions/shared/store/commit/lab-states.ts";

/** The states of a lab that has had no large run. */
const NONE = new LabStates();
const ZEROS: DirectionCounts = [0, 0, 0, 0, 0, 0];
const one = (link_id: string, created_us = 7): LinkCounts => ({
  link_id,
  created_us,
  a_to_b: [3, 300, 2, 200, 1, 100],
  b_to_a: [2, 200, 2, 200, 0, 0],
});
const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => one(`link-${from + index}`));

/** Writes the changed parts. */
function stored(parts: readonly CountPart[], changed: readonly CountPart[]): CountPart[] {
  const all = new Map(parts.map((each) => [each.part, each]));
  for (const each of changed) all.set(each.part, { ...each, revision: (each.revision ?? 0) + 1 });
  return [...all.values()];
}

describe("the counters of a direction", () => {
  test("are stored in one order, and shown with names", () => {
    const counts = toCounts({
      entered: { packets: 1, bytes: 2 },
      delivered: { packets: 3, bytes: 4 },
      dropped: { packets: 5, bytes: 6 },
    });
    expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
    expect(toLinkCounters("a", { a_to_b: counts, b_to_a: ZEROS })).toMatchObject({
      link_id: "a",
      a_to_b: {
        in: { packets: 1, bytes: 2 },
        delivered: { packets: 3, bytes: 4 },
        dropped: { packets: 5, bytes: 6 },
      },
    });
  });
});

describe("parts of counters", () => {
  test("add what runs carry", () => {
    let parts: CountPart[] = [];
    for (let run = 0; run < 3; run++) parts = stored(parts, addCounts(parts, NONE, [one("a")]));
    expect(countsOf(parts, NONE, one("a"))).toEqual({
      a_to_b: [9, 900, 6, 600, 3, 300],
      b_to_a: [6, 600, 6, 600, 0, 0],
    });
    expect(parts).toHaveLength(1);
    expect(parts[0]!.revision).toBe(3);
  });

  test("have zeros for a link that carried nothing", () => {
    expect(countsOf([], NONE, one("a"))).toEqual({ a_to_b: ZEROS, b_to_a: ZEROS });
  });

  test("begin anew for a link that has the id of a deleted one", () => {
    const parts = stored([], addCounts([], NONE, [one("a")]));
    expect(countsOf(parts, NONE, one("a", 8)).a_to_b).toEqual(ZEROS);
    const after = stored(parts, addCounts(parts, NONE, [one("a", 8)]));
    expect(countsOf(after, NONE, one("a", 8)).a_to_b).toEqual(one("a").a_to_b);
    expect(countsOf(after, NONE, one("a", 7)).a_to_b).toEqual(ZEROS);
  });

  test("hold a few links each, and a run writes only the parts of its links", () => {
    const parts = stored([], addCounts([], NONE, many(20)));
    expect(parts.map(({ links }) => Object.keys(links).length)).toEqual([7, 7, 6]);
    expect(addCounts(parts, NONE, [one("link-9")]).map(({ part }) => part)).toEqual([1]);
    expect(addCounts(parts, NONE, many(2, 20)).map(({ part }) => part)).toEqual([2, 3]);
  });

  test("are no more than a transaction can write, and grow evenly", () => {
    const parts = stored([], addCounts([], NONE, many(1000)));
    expect(parts).toHaveLength(MAX_PARTS);
    expect(new Set(parts.map(({ links }) => Object.keys(links).length))).toEqual(new Set([20]));
    expect(newLinks(parts, [...many(5), ...many(2, 1000)])).toBe(2);
    expect(addCounts(parts, NONE, many(1000))).toHaveLength(MAX_PARTS);
  });

  test("forget deleted links, and take new ones in their places", () => {
    const parts = stored([], addCounts([], NONE, many(20)));
    const created = new Map(many(20).map(({ link_id, created_us }) => [link_id, created_us]));
    created.delete("link-1");
    created.set("link-10", 99);
    const left = withoutDeleted(parts, created);
    expect(left.changed).toEqual(new Set([0, 1]));
    expect(left.parts.map(({ links }) => Object.keys(links).length)).toEqual([6, 6, 6]);
    expect(left.parts.map(({ part, revision }) => [part, revision])).toEqual(
      [0, 1, 2].map((part) => [part, 1]),
    );
    expect(addCounts(left.parts, NONE, [one("new")]).map(({ part }) => part)).toEqual([0]);
  });
});

describe("counters that a large run has left", () => {
  const counts = (times: number) => [3, 300, 2, 200, 1, 100].map((each) => each * times);
  const afterLargeRun = (run: number, parts: readonly CountPart[]) =>
    NONE.after(run, [], countsAfter(parts, NONE, [one("a")]));

  test("begin with those of the items, and win until a later run writes the item", () => {
    const parts = stored([], addCounts([], NONE, [one("a")]));
    const states = afterLargeRun(4, parts);
    expect(countsOf(parts, states, one("a")).a_to_b).toEqual(counts(2));
    const later = stored(parts, addCounts(parts, states, [one("a")], 5));
    expect(countsOf(later, states, one("a")).a_to_b).toEqual(counts(3));
  });

  test("are replaced by a replay, which has the number of the last run", () => {
    const states = afterLargeRun(4, []);
    const parts = stored([], addCounts([], states, [one("a")], 4));
    expect(countsOf(parts, states, one("a")).a_to_b).toEqual(counts(2));
  });

  test("are not those of a link that has the id of a deleted one", () => {
    const states = afterLargeRun(4, []);
    expect(countsOf([], states, one("a", 8)).a_to_b).toEqual(ZEROS);
    const parts = stored([], addCounts([], states, [one("a", 8)], 5));
    expect(countsOf(parts, states, one("a", 8)).a_to_b).toEqual(counts(1));
  });
});
