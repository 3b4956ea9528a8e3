import { CaptureError, type CaptureFrame, makeCaptureReader, readCapture } from "@wirelab/engine/pcap/index";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkWindow } from "../../../../packages/engine/pcap/chunk-window.ts";
import { MAX_BLOCK_BYTES } from "../../../../packages/engine/pcap/pcapng-format.ts";
import {
  classicFile,
  concat,
  cutInto,
  hex,
  LITTLE,
  pcapngFile,
  sectionHeader,
} from "../../../helpers/engine/pcap.ts";

const cuts = fc.array(fc.nat(), { maxLength: 40 });
const anyFile = fc.oneof(classicFile, pcapngFile);

/** A valid file with a few bytes changed, or truncated. */
const damagedFile = fc
  .tuple(anyFile, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.nat(), fc.boolean())
  .map(([{ bytes }, changes, end, cut]) => {
    const damaged = Uint8Array.from(bytes);
    for (const [at, value] of changes) damaged[at % damaged.length] = value;
    return cut ? damaged.subarray(0, end % damaged.length) : damaged;
  });

const junk = fc.tuple(
  fc.constantFrom("d4c3b2a1 02000400", "a1b23c4d 00020004", "0a0d0d0a", ""),
  fc.uint8Array({ maxLength: 300 }),
);
const anyBytes = fc.oneof(
  damagedFile,
  junk.map(([start, rest]) => concat(hex(start), rest)),
);

interface Outcome {
  frames: CaptureFrame[];
  failure: CaptureError | undefined;
}

/** Pushes the chunks one by one; rethrows any error but a CaptureError. */
function readChunks(chunks: Uint8Array[]): Outcome {
  const reader = makeCaptureReader();
  const frames: CaptureFrame[] = [];
  try {
    for (const chunk of chunks) frames.push(...reader.push(chunk));
    reader.finish();
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    return { frames, failure: error };
  }
  return { frames, failure: undefined };
}

const plain = ({ frames, failure }: Outcome) => ({
  frames,
  failure: failure && { code: failure.code, offset: failure.offset, message: failure.message },
});

describe("the capture reader", () => {
  it("reads the frames of any valid file, of either format", () => {
    fc.assert(
      fc.property(anyFile, ({ bytes, frames }) => {
        const read = readCapture(bytes);
        expect(read.ok).toBe(true);
        expect(read.frames).toMatchObject(frames);
        expect(read.frames).toHaveLength(frames.length);
      }),
    );
  });

  it("reads the same from chunks of any size as from one", () => {
    fc.assert(
      fc.property(anyFile, cuts, ({ bytes }, positions) => {
        expect(readChunks(cutInto(bytes, positions))).toEqual(readChunks([bytes]));
      }),
    );
  });

  it("reads the same byte by byte", () => {
    fc.assert(
      fc.property(anyFile, ({ bytes }) => {
        const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
        expect(readChunks(single)).toEqual(readChunks([bytes]));
      }),
      { numRuns: 30 },
    );
  });

  it("finds the same fault, at the same byte, after the same frames, for any chunks", () => {
    fc.assert(
      fc.property(anyBytes, cuts, (bytes, positions) => {
        expect(plain(readChunks(cutInto(bytes, positions)))).toEqual(plain(readChunks([bytes])));
      }),
      { numRuns: 500 },
    );
  });

  it("throws only a CaptureError, with an offset inside the file, and returns no more bytes than it received", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const { frames, failure } = readChunks([bytes]);
        expect(frames.reduce((sum, { data }) => sum + data.length, 0)).toBeLessThanOrEqual(bytes.length);
        for (const { seconds, nanoseconds } of frames) {
          expect(Number.isSafeInteger(seconds)).toBe(true);
          expect(Number.isInteger(nanoseconds) && nanoseconds >= 0 && nanoseconds < 1e9).toBe(true);
        }
        if (failure === undefined) return;
        expect(failure.offset).toBeGreaterThanOrEqual(0);
        expect(failure.offset).toBeLessThanOrEqual(bytes.length);
        expect(failure.message).toMatch(/^pcap(ng)?: /);
      }),
      { numRuns: 2_000 },
    );
  });

  it("does not change returned frames when more chunks arrive", () => {
    fc.assert(
      fc.property(anyFile, cuts, ({ bytes, frames }, positions) => {
        const reader = makeCaptureReader();
        const handedOut: CaptureFrame[] = [];
        for (const chunk of cutInto(bytes, positions)) {
          // Pushes a copy, so that a faulty write can change only the reader's own buffers.
          handedOut.push(...reader.push(Uint8Array.from(chunk)));
        }
        expect(handedOut.map(({ data }) => data)).toEqual(frames.map(({ data }) => data));
      }),
    );
  });
});

describe("memory", () => {
  it("holds at most twice the bytes of an incomplete record, for chunks of any size", () => {
    const window = new ChunkWindow();
    for (let count = 1; count <= 5_000; count++) {
      window.append(Uint8Array.of(count & 0xff));
      expect(window.available).toBe(count);
      expect(window.bytes.length).toBeLessThanOrEqual(2 * count);
    }
  });

  it("holds no bytes of a skipped block, whatever length it claims", () => {
    const window = new ChunkWindow();
    window.append(new Uint8Array(100));
    window.skip(0xffff_fff0);
    for (let count = 0; count < 10; count++) {
      window.append(new Uint8Array(1_000_000));
      expect([window.available, window.bytes.length]).toEqual([0, 1_000_000]);
    }
    expect(window.offset).toBe(10_000_100);
  });

  it("continues at the right byte after a long skipped block", () => {
    const length = MAX_BLOCK_BYTES + 12;
    const unknown = concat(LITTLE.u32(99, length), new Uint8Array(MAX_BLOCK_BYTES), LITTLE.u32(length));
    const bytes = concat(sectionHeader(LITTLE), unknown, LITTLE.u32(5, 0, 0));
    const { failure } = readChunks(cutInto(bytes, [500, 70_000, 900_000, 28 + length - 1]));
    expect(failure).toMatchObject({ code: "pcapng.bad-block-length", offset: 28 + length + 4 });
  });
});
