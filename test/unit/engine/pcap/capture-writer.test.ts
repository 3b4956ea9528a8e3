import {
  CaptureError,
  encodeCapture,
  encodeCaptureHeader,
  encodeRecords,
  RecordEncoder,
  readCapture,
} from "@wirelab/engine/pcap/index";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concat, fileFrame, hex } from "../../../helpers/engine/pcap.ts";

const FRAME = { seconds: 1_700_000_000, nanoseconds: 123_456_789, data: hex("deadbeef"), originalLength: 60 };

function framesOf(file: Uint8Array) {
  const read = readCapture(file);
  if (!read.ok) throw read.error;
  return read.frames.map(({ seconds, nanoseconds, data, originalLength }) => ({
    seconds,
    nanoseconds,
    data,
    originalLength,
  }));
}

describe("the file header", () => {
  it("is, for Ethernet in microseconds, these 24 bytes", () => {
    expect(encodeCaptureHeader({ linkType: 1 })).toEqual(
      hex("d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000"),
    );
  });

  it("contains resolution, snaplen and link type, ATM by its number in files", () => {
    const header = encodeCaptureHeader({ linkType: 11, snaplen: 96, resolution: "nanosecond" });
    expect(header).toEqual(hex("4d3cb2a1 0200 0400 00000000 00000000 60000000 64000000"));
  });

  it.each([0, -1, 1.5, 262_145])("rejects a snaplen of %d", (snaplen) => {
    expect(() => encodeCaptureHeader({ linkType: 1, snaplen })).toThrow(RangeError);
    expect(() => new RecordEncoder({ snaplen })).toThrow(RangeError);
  });
});

describe("a record", () => {
  it("is these bytes, its time truncated to microseconds", () => {
    expect(encodeRecords([FRAME])).toEqual(hex("00f15365 40e20100 04000000 3c000000 deadbeef"));
  });

  it("keeps nanoseconds on request", () => {
    expect(encodeRecords([FRAME], { resolution: "nanosecond" })).toEqual(
      hex("00f15365 15cd5b07 04000000 3c000000 deadbeef"),
    );
  });

  it("is cut to the snaplen and keeps its original length", () => {
    expect(encodeRecords([FRAME], { snaplen: 3 })).toEqual(hex("00f15365 40e20100 03000000 3c000000 deadbe"));
  });

  it.each([
    [-1, 0],
    [2 ** 32, 0],
    [0, 1e9],
    [0, -1],
    [Number.NaN, 0],
  ])("rejects a time of %d s and %d ns, which is outside the format's range", (seconds, nanoseconds) => {
    const encoder = new RecordEncoder();
    const write = () => encoder.write(seconds, nanoseconds, FRAME.data, 4);
    expect(write).toThrow(CaptureError);
    expect(write).toThrow(expect.objectContaining({ code: "pcap.time-out-of-range", offset: 0 }));
    expect(encoder.sizeBytes).toBe(0);
  });
});

describe("segments", () => {
  it("concatenated behind one header equal the file written at once", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fileFrame, { maxLength: 4 }), { maxLength: 4 }), (segments) => {
        const whole = encodeCapture(segments.flat(), { linkType: 1 });
        expect(
          concat(encodeCaptureHeader({ linkType: 1 }), ...segments.map((frames) => encodeRecords(frames))),
        ).toEqual(whole);
      }),
    );
  });

  it("taken from one encoder belong to the caller: later records do not change them", () => {
    const encoder = new RecordEncoder();
    encoder.write(1, 0, FRAME.data, 4);
    const first = encoder.take();
    const kept = Uint8Array.from(first);
    encoder.write(2, 0, new Uint8Array(4).fill(0xff), 4);
    expect(encoder.take().length).toBe(20);
    expect(first).toEqual(kept);
    expect(encoder.take().length).toBe(0);
  });

  it("hold records of any size", () => {
    const frames = [0, 1, 5_000, 262_144, 3].map((size) => ({
      ...FRAME,
      data: new Uint8Array(size).fill(size & 0xff),
    }));
    const format = { linkType: 1, snaplen: 262_144, resolution: "nanosecond" } as const;
    expect(framesOf(encodeCapture(frames, format))).toEqual(frames);
  });
});

describe("a written file", () => {
  it("is read back unchanged, in both resolutions", () => {
    const nanoFrame = fc
      .tuple(fileFrame, fc.integer({ min: 0, max: 999_999_999 }))
      .map(([frame, nanoseconds]) => ({ ...frame, nanoseconds }));
    fc.assert(
      fc.property(fc.array(fileFrame), fc.array(nanoFrame), (frames, nanoFrames) => {
        expect(framesOf(encodeCapture(frames, { linkType: 1 }))).toEqual(frames);
        expect(framesOf(encodeCapture(nanoFrames, { linkType: 1, resolution: "nanosecond" }))).toEqual(
          nanoFrames,
        );
      }),
    );
  });
});
