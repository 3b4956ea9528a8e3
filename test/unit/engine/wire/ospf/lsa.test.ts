/** LSAs: their layout, their checksum, and which of two instances is newer. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareInstances,
  isLsaIntact,
  LINK,
  LSA,
  type Lsa,
  MAX_AGE_S,
  makeLsa,
  readLsa,
} from "../../../../../packages/engine/wire/ospf-lsa.ts";
import { hexOf } from "../../../../../packages/engine/wire/show.ts";
import { LSAS } from "../../../../helpers/engine/ospf-samples.ts";

const ROUTER = makeLsa(
  { type: LSA.router, id: 0x0101_0101, advertiser: 0x0101_0101, options: 2, sequence: 0x8000_0001 | 0 },
  {
    kind: "router",
    flags: 0,
    links: [
      { type: LINK.pointToPoint, id: 0x0202_0202, data: 0x0a00_0001, metric: 10 },
      { type: LINK.stub, id: 0x0a00_0000, data: 0xffff_ff00, metric: 10 },
    ],
  },
);

describe("an LSA", () => {
  // The checksum is from RFC 905, annex B, computed by another program.
  it("has the layout of RFC 2328, appendix A.4.2, and the checksum of appendix A.4.1", () => {
    expect(hexOf(ROUTER.bytes)).toBe(
      "0x000002010101010101010101" +
        "8000000131da0030" +
        "00000002" +
        "020202020a0000010100000a" +
        "0a000000ffffff000300000a",
    );
  });

  it.each(LSAS.map((lsa) => [lsa.type, lsa] as const))(
    "of type %i is read as it was written",
    (_type, lsa) => {
      expect(readLsa(lsa.bytes, 0, lsa.length)).toEqual({ lsa, age: 0 });
      expect(isLsaIntact(lsa.bytes, 0, lsa.length)).toBe(true);
    },
  );

  it("keeps its checksum while its age changes, and has a wrong one after any other change", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LSAS),
        fc.nat(),
        fc.integer({ min: 1, max: 254 }),
        (lsa, place, change) => {
          const at = place % lsa.length;
          const changed = lsa.bytes.with(at, (lsa.bytes[at]! + change) % 255);
          if (changed[at]! % 255 === lsa.bytes[at]! % 255) return;
          expect(isLsaIntact(changed, 0, lsa.length)).toBe(at < 2);
        },
      ),
    );
  });

  it("is refused if its length is impossible, or its body does not fit its type", () => {
    const { bytes, length } = ROUTER;
    expect(readLsa(bytes, 0, length - 1)).toBeNull();
    expect(readLsa(bytes.with(19, 19), 0, length)).toBeNull();
    expect(readLsa(bytes.with(23, 3), 0, length)).toBeNull();
    for (const lsa of LSAS) expect(readLsa(lsa.bytes.with(19, 21), 0, lsa.length)).toBeNull();
  });

  it("of an unknown type is read without its body", () => {
    expect(readLsa(ROUTER.bytes.with(3, 77), 0, ROUTER.length)?.lsa.body).toEqual({ kind: "opaque" });
  });

  it("skips metrics by type of service", () => {
    const { bytes, length } = ROUTER;
    const long = new Uint8Array(length + 4);
    long.set(bytes.subarray(0, 36));
    long.set(bytes.subarray(36), 40);
    long[19] = length + 4;
    long[24 + 9] = 1;
    expect(readLsa(long, 0, long.length)?.lsa.body).toEqual(ROUTER.body);
  });
});

describe("of two instances of an LSA (section 13.1)", () => {
  const copy = (changes: Partial<Lsa>, age = 0) => ({ lsa: { ...ROUTER, ...changes }, age });
  it.each([
    ["the one with the higher sequence number is newer", copy({ sequence: -5 }), copy({ sequence: -6 })],
    ["sequence numbers are signed", copy({ sequence: 1 }), copy({ sequence: -1 })],
    ["then the one with the higher checksum", copy({ checksum: 9 }), copy({ checksum: 8 })],
    ["then the one of MaxAge", copy({}, MAX_AGE_S), copy({}, 5)],
    ["then the younger one, if the ages differ by more than 15 minutes", copy({}, 5), copy({}, 906)],
  ])("%s", (_title, newer, older) => {
    expect(compareInstances(newer, older)).toBeGreaterThan(0);
    expect(compareInstances(older, newer)).toBeLessThan(0);
  });

  it("both are the same if their ages differ by less", () => {
    expect(compareInstances(copy({}, 5), copy({}, 905))).toBe(0);
    expect(compareInstances(copy({}, MAX_AGE_S), copy({}, MAX_AGE_S))).toBe(0);
  });
});
