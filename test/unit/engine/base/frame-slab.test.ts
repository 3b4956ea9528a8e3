import { expect, test } from "vitest";
import { FrameSlab } from "../../../../packages/engine/base/frame-slab.ts";

const SIZES = [0, 1, 1_023, 40_000, 30_000, 65_536, 262_144, 3];

test("copies of any size do not overlap", () => {
  const slab = new FrameSlab();
  const copies = SIZES.map((size, index) => slab.copy(new Uint8Array(size).fill(index + 1)));
  for (const [index, copy] of copies.entries()) {
    expect(copy).toEqual(new Uint8Array(SIZES[index]!).fill(index + 1));
  }
});

test("new frames are zeroed, regardless of writes to their neighbours", () => {
  const slab = new FrameSlab();
  for (const size of SIZES) expect(slab.take(size).fill(0xff)).toHaveLength(size);
  expect(slab.take(100).every((byte) => byte === 0)).toBe(true);
});

test("a few small frames take little memory, many share a slab", () => {
  const slab = new FrameSlab();
  expect(slab.take(60).buffer.byteLength).toBeLessThanOrEqual(1_024);
  const buffers = new Set(Array.from({ length: 10_000 }, () => slab.take(60).buffer));
  expect(buffers.size).toBeLessThan(20);
});
