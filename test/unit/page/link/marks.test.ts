import { expect, test } from "vitest";
import { marksOf } from "../../../../page/src/link/marks.ts";

const plain = { suspend: false, filters: {}, capturing: false };

test("a link without anything special has no mark, also with an empty set of impairments", () => {
  expect(marksOf(plain)).toEqual([]);
  expect(marksOf(plain, {})).toEqual([]);
});

test("each thing that is special has a mark of its own", () => {
  const filters = { packet_loss: [10], delay: [50, 5], frequency_drop: [3] };
  expect(marksOf({ suspend: true, filters, capturing: true }, { preset: "lte" })).toEqual([
    { kind: "suspended", words: "suspended" },
    { kind: "filtered", words: "10 % loss · 50 ms · frequency drop" },
    { kind: "impaired", words: "lte" },
    { kind: "capturing", words: "capture" },
  ]);
});

test.each([
  [{ preset: "3g", carrier: "down" }, "cable pulled"],
  [{ both: { delay: "20ms" } }, "impaired"],
])("the impairments %j are %s", (settings, words) => {
  expect(marksOf(plain, settings)).toEqual([{ kind: "impaired", words }]);
});

test("packets that were lost last are a mark, and packets that arrived are none", () => {
  expect(marksOf(plain, undefined, { packets: 1200, lost: 3 })).toEqual([
    { kind: "losing", words: "lost 3 of 1,200" },
  ]);
  expect(marksOf(plain, undefined, { packets: 1200, lost: 0 })).toEqual([]);
});
