import { describe, expect, it } from "vitest";
import {
  asPathLength,
  encodeAsPath,
  mergeAsPaths,
  readAsPath,
} from "../../../../../packages/engine/wire/bgp-as-path.ts";
import type { AsSegment } from "../../../../../packages/engine/wire/bgp-attributes.ts";

const sequence = (...systems: number[]): AsSegment => ({ type: 2, systems });
const set = (...systems: number[]): AsSegment => ({ type: 1, systems });
const confederation = (...systems: number[]): AsSegment => ({ type: 3, systems });
const BIG = 4_200_000_000;

describe("an AS path", () => {
  it("is read and written with 2 and 4 bytes", () => {
    expect(readAsPath(Uint8Array.of(2, 2, 0xfd, 0xe9, 0, 1, 1, 1, 0, 7), 2)).toEqual([
      sequence(65_001, 1),
      set(7),
    ]);
    expect(encodeAsPath([sequence(65_001), set(7)], 4)).toEqual(
      Uint8Array.of(2, 1, 0, 0, 0xfd, 0xe9, 1, 1, 0, 0, 0, 7),
    );
    expect(encodeAsPath([sequence(BIG)], 2)).toEqual(Uint8Array.of(2, 1, 0x5b, 0xa0));
    expect(readAsPath(new Uint8Array(0), 4)).toEqual([]);
  });

  it.each([
    ["type 0", [0, 1, 0, 1]],
    ["type 5", [5, 1, 0, 1]],
    ["no AS number", [2, 0]],
    ["AS 0", [2, 1, 0, 0]],
    ["half a header", [2]],
    ["a cut AS number", [2, 1, 0]],
    ["a byte too much", [2, 1, 0, 1, 0]],
  ])("has no segment with %s", (_, bytes) => {
    expect(readAsPath(Uint8Array.from(bytes), 2)).toBeNull();
  });

  it("has a new segment after 255 AS numbers", () => {
    const systems = Array.from({ length: 300 }, (_, index) => index + 1);
    const path = readAsPath(encodeAsPath([sequence(...systems)], 4), 4)!;
    expect(path.map((segment) => segment.systems.length)).toEqual([255, 45]);
    expect(path.flatMap((segment) => segment.systems)).toEqual(systems);
  });

  it("counts a set as one and a confederation as none", () => {
    expect(asPathLength([confederation(1, 2), sequence(3, 4), set(5, 6, 7), { type: 4, systems: [8] }])).toBe(
      3,
    );
  });
});

/** RFC 6793, section 4.2.3. */
describe("the two paths of an old speaker", () => {
  it.each<[string, AsSegment[], AsSegment[], AsSegment[]]>([
    ["equal lengths", [sequence(1, 23_456)], [sequence(1, BIG)], [sequence(1, BIG)]],
    ["an old speaker in front", [sequence(9, 8, 23_456, 1)], [sequence(BIG, 1)], [sequence(9, 8, BIG, 1)]],
    ["a longer AS4_PATH, which is ignored", [sequence(1)], [sequence(BIG, 1)], [sequence(1)]],
    ["a set in front", [set(7, 8), sequence(23_456)], [sequence(BIG)], [set(7, 8), sequence(BIG)]],
    [
      "a confederation in front, and behind what is prepended",
      [confederation(64_512), sequence(9), confederation(64_513), sequence(23_456)],
      [sequence(BIG)],
      [confederation(64_512), sequence(9), confederation(64_513), sequence(BIG)],
    ],
    ["an empty AS4_PATH", [sequence(1, 2)], [], [sequence(1, 2)]],
  ])("are joined: %s", (_, path, as4Path, joined) => {
    expect(mergeAsPaths(path, as4Path)).toEqual(joined);
  });
});
