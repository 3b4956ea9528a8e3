import { MAX_CAPTURED_BYTES } from "@wirelab/engine/pcap/index";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HeldFrames } from "../../../packages/wirelab/held-frames.ts";

/** A packet with its index in every byte. */
function packet(frameIndex: number, sizeBytes: number): Uint8Array {
  return new Uint8Array(sizeBytes).fill(frameIndex % 251);
}

describe("packets in flight", () => {
  test("are returned unchanged, in any order", () => {
    const step = fc.record({
      sizeBytes: fc.oneof(fc.nat({ max: 1500 }), fc.nat({ max: MAX_CAPTURED_BYTES })),
      /** Index of the held packet that leaves before this one enters; none if fewer are held. */
      leaving: fc.nat({ max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const frames = new HeldFrames();
        const held: { slot: number; frameIndex: number; sizeBytes: number }[] = [];
        const takeOut = (position: number): void => {
          for (const { slot, frameIndex, sizeBytes } of held.splice(position, 1)) {
            const frame = frames.take(slot, 7 * frameIndex);
            expect(Buffer.compare(frame.data, packet(frameIndex, sizeBytes))).toBe(0);
            expect(frame).toMatchObject({
              deliveryNs: 7 * frameIndex,
              originalLength: sizeBytes + 1,
              frameIndex,
            });
          }
        };
        for (const [frameIndex, { sizeBytes, leaving }] of steps.entries()) {
          takeOut(leaving);
          const slot = frames.put(packet(frameIndex, sizeBytes), sizeBytes + 1, frameIndex);
          expect(held.map((other) => other.slot)).not.toContain(slot);
          held.push({ slot, frameIndex, sizeBytes });
        }
        while (held.length > 0) takeOut(0);
      }),
      { numRuns: 50 },
    );
  });

  test("are copies: the caller may reuse its array", () => {
    const frames = new HeldFrames();
    const data = packet(1, 60);
    const slot = frames.put(data, 60, 0);
    data.fill(9);
    expect(frames.take(slot, 0).data).toEqual(packet(1, 60));
  });

  test("keep the largest possible numbers", () => {
    const frames = new HeldFrames();
    const slot = frames.put(packet(0, 1), 0xffff_ffff, Number.MAX_SAFE_INTEGER);
    const expected = { deliveryNs: 5, originalLength: 0xffff_ffff, frameIndex: Number.MAX_SAFE_INTEGER };
    expect(frames.take(slot, 5)).toMatchObject(expected);
  });

  test("take bounded memory, for any number of packets", () => {
    const frames = new HeldFrames();
    const buffers = new Set<ArrayBufferLike>();
    const slots: number[] = [];
    for (let frameIndex = 0; frameIndex < 20_000; frameIndex++) {
      slots.push(frames.put(packet(frameIndex, 1000), 1000, frameIndex));
      // About 2 MB are in flight, and the packets leave out of order.
      const early = slots.length > 2000 ? slots.splice(frameIndex % 1000, 1) : [];
      for (const slot of early) buffers.add(frames.take(slot, 0).data.buffer);
    }
    expect(buffers.size).toBeLessThan(30);
  });
});
