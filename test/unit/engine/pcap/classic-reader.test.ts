import { makeCaptureReader, readCapture } from "@wirelab/engine/pcap/index";
import { describe, expect, it } from "vitest";
import { BIG, concat, hex, LITTLE, pcapHeader, pcapRecord } from "../../../helpers/engine/pcap.ts";

const MICRO = 0xa1b2c3d4;
const NANO = 0xa1b23c4d;
const DATA = Uint8Array.of(0xde, 0xad, 0xbe, 0xef);
const HEADER = pcapHeader(LITTLE, MICRO, 1);

function framesOf(...parts: Uint8Array[]) {
  const file = readCapture(concat(...parts));
  if (!file.ok) throw file.error;
  return file.frames;
}

function faultOf(...parts: Uint8Array[]) {
  const file = readCapture(concat(...parts));
  if (file.ok) throw new Error("the file was read");
  const { code, offset, message } = file.error;
  return { code, offset, message, framesBefore: file.frames.length };
}

describe("a classic pcap", () => {
  it("is read from its bytes: one record of 4 of 60 bytes", () => {
    const file = readCapture(
      hex(`d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000
           00f15365 40e20100 04000000 3c000000 deadbeef`),
    );
    expect(file).toEqual({
      ok: true,
      cutOff: undefined,
      format: "pcap",
      interfaces: [{ linkType: 1, snaplen: 65_535, littleEndian: true }],
      frames: [
        {
          seconds: 1_700_000_000,
          nanoseconds: 123_456_000,
          data: DATA,
          originalLength: 60,
          linkType: 1,
          interfaceId: 0,
        },
      ],
    });
  });

  it.each([
    ["little-endian", LITTLE],
    ["big-endian", BIG],
  ])("is read %s, in micro- and in nanoseconds", (_, order) => {
    const [micro] = framesOf(pcapHeader(order, MICRO, 1), pcapRecord(order, 5, 999_999, DATA));
    const [nano] = framesOf(pcapHeader(order, NANO, 1), pcapRecord(order, 5, 999_999_999, DATA));
    expect(micro).toMatchObject({ seconds: 5, nanoseconds: 999_999_000, data: DATA });
    expect(nano).toMatchObject({ seconds: 5, nanoseconds: 999_999_999, data: DATA });
  });

  it("may hold no records", () => {
    expect(framesOf(HEADER)).toEqual([]);
  });

  it("takes seconds as unsigned, up to 2106", () => {
    expect(framesOf(HEADER, pcapRecord(LITTLE, 0xffff_ffff, 0, DATA))[0]?.seconds).toBe(0xffff_ffff);
  });

  it("carries a fraction of one second or more into the seconds", () => {
    const frames = framesOf(
      HEADER,
      pcapRecord(LITTLE, 5, 2_000_001, DATA),
      pcapRecord(LITTLE, 5, 0xffff_ffff, DATA),
    );
    expect(frames.map(({ seconds, nanoseconds }) => [seconds, nanoseconds])).toEqual([
      [7, 1_000],
      [4_299, 967_295_000],
    ]);
  });

  it("reads the link type without the frame check sequence bits, and ATM by both its numbers", () => {
    const linkTypes = [0xf400_0001, 11, 100, 104].map((linkType) => {
      return framesOf(pcapHeader(LITTLE, MICRO, linkType), pcapRecord(LITTLE, 0, 0, DATA))[0]?.linkType;
    });
    expect(linkTypes).toEqual([1, 100, 100, 104]);
  });

  it("may hold records longer than its snaplen, as some programs write them", () => {
    expect(framesOf(pcapHeader(LITTLE, MICRO, 1, 2), pcapRecord(LITTLE, 0, 0, DATA))[0]?.data).toEqual(DATA);
  });

  it("has no limit if its snaplen is 0", () => {
    const file = readCapture(concat(pcapHeader(LITTLE, MICRO, 1, 0), pcapRecord(LITTLE, 0, 0, DATA)));
    expect(file).toMatchObject({ ok: true, interfaces: [{ snaplen: 0 }], frames: [{ data: DATA }] });
  });

  it.each([
    [
      "a record header",
      new Uint8Array(7),
      "the record header at byte 44 takes 16 bytes, the file ends after 7",
    ],
    [
      "a record",
      pcapRecord(LITTLE, 0, 0, DATA, { captured: 70_000 }),
      "record at byte 44 claims 70000 bytes, the file ends after 4",
    ],
  ])("that is cut off in the middle of %s yields the frames before it", (_, rest, message) => {
    expect(readCapture(concat(HEADER, pcapRecord(LITTLE, 5, 0, DATA), rest))).toMatchObject({
      ok: true,
      frames: [{ seconds: 5, data: DATA }],
      cutOff: { code: "pcap.truncated", offset: 44, message: `pcap: ${message}` },
    });
  });

  it("yields views of the chunk, not copies", () => {
    const bytes = concat(HEADER, pcapRecord(LITTLE, 0, 0, DATA));
    const [frame] = makeCaptureReader().push(bytes);
    expect(frame?.data.buffer).toBe(bytes.buffer);
  });

  it("accepts the largest record, 262144 bytes", () => {
    expect(framesOf(HEADER, pcapRecord(LITTLE, 0, 0, new Uint8Array(262_144)))[0]?.data.length).toBe(262_144);
  });
});

describe("an invalid file", () => {
  it.each([
    ["nothing", [], "pcap.empty", 0, "pcap: the file is empty"],
    [
      "three bytes",
      [hex("d4c3b2")],
      "pcap.header-truncated",
      0,
      "pcap: the file ends after 3 bytes, before its magic number does",
    ],
    [
      "half a header",
      [HEADER.subarray(0, 12)],
      "pcap.header-truncated",
      0,
      "pcap: the file header takes 24 bytes, the file has 12",
    ],
    [
      "text",
      [new TextEncoder().encode("hello, world")],
      "pcap.unknown-format",
      0,
      "pcap: not a capture file: it begins with 68656c6c, neither pcap nor pcapng",
    ],
    [
      "zeros",
      [new Uint8Array(100)],
      "pcap.unknown-format",
      0,
      "pcap: not a capture file: it begins with 00000000, neither pcap nor pcapng",
    ],
    [
      "gzip",
      [hex("1f8b0800 00000000")],
      "pcap.unknown-format",
      0,
      "pcap: the file is compressed with gzip: decompress it first",
    ],
    [
      "a modified pcap",
      [hex("34cdb2a1 02000400")],
      "pcap.unknown-format",
      0,
      "pcap: the file is a 'modified' pcap (Kuznetzov's), whose record headers are longer",
    ],
    [
      "snoop",
      [new TextEncoder().encode("snoop\0\0\0")],
      "pcap.unknown-format",
      0,
      "pcap: the file is a snoop capture (RFC 1761)",
    ],
    [
      "version 2.3",
      [hex("d4c3b2a1 0200 0300"), HEADER.subarray(8)],
      "pcap.unsupported-version",
      4,
      "pcap: version 2.3 is not supported, only 2.4 is",
    ],
    [
      "an absurd record",
      [HEADER, pcapRecord(LITTLE, 0, 0, DATA, { captured: 0xffff_ffff })],
      "pcap.record-too-large",
      24,
      "pcap: record at byte 24 claims 4294967295 bytes, more than the 262144 allowed",
    ],
  ] as [string, Uint8Array[], string, number, string][])("%s", (_, parts, code, offset, message) => {
    expect(faultOf(...parts)).toEqual({ code, offset, message, framesBefore: 0 });
  });

  it("yields the frames before the fault, and its offset", () => {
    const good = pcapRecord(LITTLE, 0, 0, DATA);
    const bad = pcapRecord(LITTLE, 0, 0, DATA, { captured: 262_145 });
    expect(faultOf(HEADER, good, good, bad)).toMatchObject({
      code: "pcap.record-too-large",
      offset: 64,
      framesBefore: 2,
    });
  });

  it("throws its fault at the next push if the push that found it returned frames, and again after that", () => {
    const reader = makeCaptureReader();
    const bad = pcapRecord(LITTLE, 0, 0, DATA, { captured: 262_145 });
    expect(reader.push(concat(HEADER, pcapRecord(LITTLE, 0, 0, DATA), bad))).toHaveLength(1);
    expect(() => reader.push(DATA)).toThrow("record at byte 44 claims 262145 bytes");
    expect(() => reader.finish()).toThrow("record at byte 44 claims 262145 bytes");
  });
});
