import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { CountedSymbol } from "../../../../functions/shared/store/limits/symbol-usage.ts";

let symbolChanges: typeof import("../../../../functions/shared/store/limits/symbol-usage.ts").symbolChanges;

beforeAll(async () => {
  process.env.AWS_REGION = "eu-west-1";
  ({ symbolChanges } = await import("../../../../functions/shared/store/limits/symbol-usage.ts"));
});

const added = (symbol_count: number, symbol_bytes: number) => ({ symbol_count, symbol_bytes });

test.each([
  [
    "a new symbol",
    undefined,
    { owner: "ann", size_bytes: 5 },
    [{ user: "ann", added: added(1, 5) }, { added: added(1, 5) }],
  ],
  [
    "a larger version by its owner",
    { owner: "ann", size_bytes: 5 },
    { owner: "ann", size_bytes: 7 },
    [{ user: "ann", added: added(0, 2) }, { added: added(0, 2) }],
  ],
  [
    "a version of the same size by its owner",
    { owner: "ann", size_bytes: 5 },
    { owner: "ann", size_bytes: 5 },
    [],
  ],
  [
    "a version of the same size by another user",
    { owner: "ann", size_bytes: 5 },
    { owner: "bob", size_bytes: 5 },
    [
      { user: "bob", added: added(1, 5) },
      { user: "ann", added: added(-1, -5) },
    ],
  ],
  [
    "a version of a symbol without an owner",
    { size_bytes: 5 },
    { owner: "bob", size_bytes: 4 },
    [{ user: "bob", added: added(1, 4) }, { added: added(0, -1) }],
  ],
  [
    "an anonymous version",
    { owner: "ann", size_bytes: 5 },
    { owner: undefined, size_bytes: 5 },
    [{ user: "ann", added: added(-1, -5) }],
  ],
  [
    "a deletion",
    { owner: "ann", size_bytes: 5 },
    undefined,
    [{ user: "ann", added: added(-1, -5) }, { added: added(-1, -5) }],
  ],
  ["a deletion of a symbol without an owner", { size_bytes: 5 }, undefined, [{ added: added(-1, -5) }]],
])("%s changes its counters, and no other", (_what, before, after, changes) => {
  expect(symbolChanges(before, after)).toEqual(changes);
});

test("counters are the sums over the symbols after any uploads and deletions", () => {
  const symbol = fc.record({
    owner: fc.constantFrom("ann", "bob", undefined),
    size_bytes: fc.integer({ min: 1, max: 100 }),
  });
  const step = fc.record({
    id: fc.integer({ min: 0, max: 3 }),
    after: fc.option(symbol, { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const symbols = new Map<number, CountedSymbol>();
      const counters = new Map<string | undefined, [number, number]>();
      for (const { id, after } of steps) {
        for (const { user, added } of symbolChanges(symbols.get(id), after)) {
          const [count, bytes] = counters.get(user) ?? [0, 0];
          counters.set(user, [count + added.symbol_count, bytes + added.symbol_bytes]);
        }
        if (after) symbols.set(id, after);
        else symbols.delete(id);
      }
      for (const [user, sums] of counters) {
        const own = [...symbols.values()].filter(({ owner }) => user === undefined || owner === user);
        expect(sums).toEqual([own.length, own.reduce((sum, { size_bytes }) => sum + size_bytes, 0)]);
      }
    }),
  );
});
