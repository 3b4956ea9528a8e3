import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Offer,
  type RipRoute,
  RipTable,
} from "../../../../../../packages/engine/devices/router/services/rip/table.ts";

const TIMES = { timeoutUs: 180, garbageUs: 120 };

const offer: fc.Arbitrary<Offer> = fc
  .record({
    network: fc.integer({ min: 1, max: 6 }),
    prefixLength: fc.constantFrom(24, 30),
    metric: fc.integer({ min: 1, max: 16 }),
    port: fc.integer({ min: 0, max: 2 }),
    from: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ network, ...others }) => ({
    ...others,
    network: network * 256,
    tag: 0,
    origin: "rip" as const,
    via: others.from,
  }));

type Step =
  | { readonly kind: "learn"; readonly offer: Offer }
  | { readonly kind: "own"; readonly own: readonly Offer[] }
  | { readonly kind: "forget"; readonly port: number }
  | { readonly kind: "wait"; readonly us: number }
  | { readonly kind: "send" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("learn" as const), offer }) },
  fc.record({
    kind: fc.constant("own" as const),
    own: fc
      .array(offer, { maxLength: 3 })
      .map((all) =>
        all.map((each) => ({ ...each, origin: "interface" as const, from: undefined, metric: 1 })),
      ),
  }),
  fc.record({ kind: fc.constant("forget" as const), port: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ kind: fc.constant("wait" as const), us: fc.integer({ min: 1, max: 100 }) }),
  fc.constant({ kind: "send" as const }),
);

const keyOf = ({ network, prefixLength }: RipRoute): number => network * 64 + prefixLength;

test("after any changes, the list is in order, and the deadline and the changes are those of its routes", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const table = new RipTable();
      let nowUs = 0;
      for (const each of steps) {
        if (each.kind === "learn") table.learn(each.offer, nowUs, TIMES);
        else if (each.kind === "own") table.setOwn(each.own, nowUs, TIMES);
        else if (each.kind === "forget") table.forgetPort(each.port, nowUs, TIMES);
        else if (each.kind === "send") table.settle();
        else {
          nowUs += each.us;
          table.expire(nowUs, TIMES);
        }
        const list = table.list();
        expect(list.map(keyOf)).toEqual([...new Set(list.map(keyOf))].toSorted((a, b) => a - b));
        for (const route of list) expect(table.find(route.network, route.prefixLength)).toBe(route);
        const deadlines = list.flatMap(({ timeoutUs, garbageUs }) =>
          [timeoutUs ?? [], garbageUs ?? []].flat(),
        );
        expect(table.nextDeadlineUs(nowUs + 150)).toBe(Math.min(nowUs + 150, ...deadlines));
        expect(table.changes()).toEqual(list.filter(({ hasChanged }) => hasChanged));
        expect(new RipTable(list).list()).toEqual(list);
      }
    }),
    { numRuns: 200 },
  );
});
