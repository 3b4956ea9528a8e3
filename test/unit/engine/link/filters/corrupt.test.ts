import { makeStream } from "@wirelab/engine/base/random";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Corrupt } from "../../../../../packages/engine/link/filters/corrupt.ts";
import { PASS, REPLACE } from "../../../../../packages/engine/link/filters/link-filter.ts";
import { chiSquare, chiSquareLimit } from "../../../../helpers/engine/chi-square.ts";
import { passageOf, verdicts } from "../../../../helpers/engine/links.ts";

const PACKETS = 1_000_000;
const PACKET_BYTES = 13;

/** Positions of the bits in which two arrays of equal length differ. */
function differingBits(before: Uint8Array, after: Uint8Array): number[] {
  expect(after.length).toBe(before.length);
  return [...before.keys()].flatMap((at) => {
    const difference = before[at]! ^ after[at]!;
    return [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (difference >> bit) & 1).map((bit) => at * 8 + bit);
  });
}

describe("corrupt", () => {
  it("flips exactly one bit, in a copy", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.string(), (data, seed) => {
        const untouched = Uint8Array.from(data);
        const passage = passageOf(data);
        expect(new Corrupt(100, makeStream(seed)).decide(passage)).toBe(REPLACE);
        expect(data).toEqual(untouched);
        expect(differingBits(data, passage.data)).toHaveLength(1);
      }),
    );
  });

  it("does not change earlier copies when it makes later ones", () => {
    const filter = new Corrupt(100, makeStream("copies"));
    const original = new Uint8Array(1_500);
    const copies = Array.from({ length: 200 }, () => {
      const passage = passageOf(original);
      filter.decide(passage);
      return passage.data;
    });
    for (const copy of copies) expect(differingBits(original, copy)).toHaveLength(1);
  });

  it("flips every bit of a packet equally often (chi-square, a million packets)", () => {
    const filter = new Corrupt(100, makeStream("positions"));
    const zeros = new Uint8Array(PACKET_BYTES);
    const counts = new Array<number>(PACKET_BYTES * 8).fill(0);
    for (let packet = 0; packet < PACKETS; packet++) {
      const passage = passageOf(zeros);
      filter.decide(passage);
      const at = passage.data.findIndex((byte) => byte !== 0);
      counts[at * 8 + Math.log2(passage.data[at] as number)]! += 1;
    }
    const expected = counts.map(() => PACKETS / counts.length);
    expect(chiSquare(counts, expected)).toBeLessThan(chiSquareLimit(counts.length - 1));
  });

  it.each([1, 10, 50])("corrupts %i in 100 of a million packets (chi-square)", (chancePct) => {
    const filter = new Corrupt(chancePct, makeStream("chance", String(chancePct)));
    const corrupted = verdicts(filter, PACKETS, 4).filter((verdict) => verdict === REPLACE).length;
    const expected = [(PACKETS * chancePct) / 100, (PACKETS * (100 - chancePct)) / 100];
    expect(chiSquare([corrupted, PACKETS - corrupted], expected)).toBeLessThan(chiSquareLimit(1));
  });

  it("corrupts nothing at 0 and everything at 100", () => {
    expect(verdicts(new Corrupt(0, makeStream(1)), 10_000)).not.toContain(REPLACE);
    expect(verdicts(new Corrupt(100, makeStream(1)), 10_000)).not.toContain(PASS);
  });

  it("passes a packet without bytes unchanged, and does not count it as corrupted", () => {
    const passage = passageOf(new Uint8Array(0), 60);
    const { data } = passage;
    expect(new Corrupt(100, makeStream(1)).decide(passage)).toBe(PASS);
    expect(passage.data).toBe(data);
  });

  it("draws the same number of random values for a packet that an earlier filter dropped", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3)), (sizes) => {
        const skipping = new Corrupt(50, makeStream(5));
        const deciding = new Corrupt(50, makeStream(5));
        for (const size of sizes) {
          skipping.skip(passageOf(new Uint8Array(size)));
          deciding.decide(passageOf(new Uint8Array(size)));
        }
        expect(skipping.saveState()).toEqual(deciding.saveState());
      }),
    );
  });
});
