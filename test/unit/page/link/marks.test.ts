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
