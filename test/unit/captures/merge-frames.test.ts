import { encodeCapture } from "@wirelab/engine/pcap/index";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeFrames } from "../../../functions/captures/merge-frames.ts";

interface Opened {
  open: number;
}

/** A file in chunks whose packets have these times in microseconds. */
async function* file(times: readonly number[], chunkBytes = 30, opened: Opened = { open: 0 }) {
  const records = times.map((us, index) => ({
    seconds: 1_700_000_000 + Math.floor(us / 1e6),
    nanoseconds: (us % 1e6) * 1000,
    data: Uint8Array.of(index),
    originalLength: 1,
  }));
  const bytes = encodeCapture(records, { linkType: 1 });
  opened.open += 1;
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  } finally {
    opened.open -= 1;
  }
}

/** The merged packets: source, position in it, and time in microseconds. */
async function merge(files: readonly AsyncIterable<Uint8Array>[]) {
  const merged: [source: number, index: number, us: number][] = [];
  for await (const batch of mergeFrames(files)) {
    for (const { frame, source } of batch) {
      const us = (frame.seconds - 1_700_000_000) * 1e6 + frame.nanoseconds / 1000;
      merged.push([source, frame.data[0]!, us]);
    }
  }
  return merged;
}

describe("merged captures", () => {
  test("are in order of time", async () => {
    expect(await merge([file([1, 4, 5]), file([]), file([2, 3, 9])])).toEqual([
      [0, 0, 1],
      [2, 0, 2],
      [2, 1, 3],
      [0, 1, 4],
      [0, 2, 5],
      [2, 2, 9],
    ]);
  });

  test("keep the order of each file where its own times decrease", async () => {
    const merged = await merge([file([5, 2, 8]), file([6, 7])]);
    expect(merged.map(([source, index]) => [source, index])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
      [0, 2],
    ]);
  });

  test("contain every packet of any files once, in each file's order, and sorted for sorted files", async () => {
    const files = fc.array(fc.array(fc.nat(50), { maxLength: 20 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.integer({ min: 1, max: 200 }),
        fc.boolean(),
        async (times, chunkBytes, sorted) => {
          const sent = sorted ? times.map((each) => each.toSorted((a, b) => a - b)) : times;
          const merged = await merge(sent.map((each) => file(each, chunkBytes)));
          for (const [source, each] of sent.entries()) {
            expect(merged.filter(([from]) => from === source).map(([, index, us]) => [index, us])).toEqual(
              each.map((us, index) => [index, us]),
            );
          }
          expect(merged).toHaveLength(sent.flat().length);
          const all = merged.map(([, , us]) => us);
          if (sorted) expect(all).toEqual(all.toSorted((a, b) => a - b));
        },
      ),
    );
  });

  test("of no files are empty", async () => {
    expect(await merge([])).toEqual([]);
  });

  test("are closed when the consumer stops", async () => {
    const opened = { open: 0 };
    for await (const _ of mergeFrames([file([1, 2, 3], 30, opened), file([1, 2, 3], 30, opened)])) {
      expect(opened.open).toBe(2);
      break;
    }
    expect(opened.open).toBe(0);
  });
});
