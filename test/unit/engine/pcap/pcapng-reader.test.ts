import { readCapture } from "@wirelab/engine/pcap/index";
import { describe, expect, it } from "vitest";
import {
  BIG,
  block,
  concat,
  enhancedPacket,
  hex,
  interfaceBlock,
  LITTLE,
  option,
  sectionHeader,
} from "../../../helpers/engine/pcap.ts";

const DATA = Uint8Array.of(0xde, 0xad, 0xbe, 0xef, 0x01);
const COMMENT = option(LITTLE, 1, new TextEncoder().encode("a comment"));
const END = option(LITTLE, 0, new Uint8Array(0));
const SECTION = sectionHeader(LITTLE);
const ETHERNET = interfaceBlock(LITTLE, 1);
const PACKET = enhancedPacket(LITTLE, 0, 1n, DATA);
const START = SECTION.length + ETHERNET.length;

function framesOf(...parts: Uint8Array[]) {
  const file = readCapture(concat(...parts));
  if (!file.ok) throw file.error;
  return file.frames;
}

function faultOf(...parts: Uint8Array[]) {
  const file = readCapture(concat(...parts));
  if (file.ok) throw new Error("the file was read");
  const { code, offset, message } = file.error;
  return { code, offset, message };
}

/** An interface with another time unit or offset. */
function timedInterface(...options: Uint8Array[]): Uint8Array {
  return interfaceBlock(LITTLE, 1, 0, ...options, END);
}

describe("a pcapng", () => {
  it.each([
    ["a packet", PACKET.subarray(0, 34)],
    ["a block header", LITTLE.u32(6).subarray(0, 3)],
    ["an unknown block of absurd length", LITTLE.u32(99, 0xffff_fffc, 0)],
    ["the last bytes of an unknown block", concat(LITTLE.u32(99, 12), hex("0c00"))],
  ])("that is cut off in the middle of %s yields the frames before it", (_, rest) => {
    const whole = concat(SECTION, ETHERNET, PACKET);
    const at = whole.length;
    expect(readCapture(concat(whole, rest))).toMatchObject({
      ok: true,
      frames: [{ data: DATA }],
      cutOff: {
        code: "pcapng.truncated",
        offset: at,
        message: `pcapng: block at byte ${at} is cut off by the end of the file`,
      },
    });
  });

  it("is read from its bytes: a section, an interface, a packet of 4 of 60 bytes", () => {
    const file = readCapture(
      hex(`0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000
           01000000 14000000 0100 0000 00000400 14000000
           06000000 24000000 00000000 270a0600 40820918 04000000 3c000000 deadbeef 24000000`),
    );
    expect(file).toMatchObject({
      ok: true,
      format: "pcapng",
      interfaces: [{ linkType: 1, snaplen: 262_144 }],
      frames: [{ data: hex("deadbeef"), originalLength: 60, linkType: 1, interfaceId: 0 }],
    });
    // 0x00060a27 18098240 microseconds since 1970.
    const ticks = 0x00060a27_18098240n;
    const [frame] = file.frames;
    expect([frame?.seconds, frame?.nanoseconds]).toEqual([
      Number(ticks / 1_000_000n),
      Number(ticks % 1_000_000n) * 1_000,
    ]);
  });

  it.each([
    ["little-endian", LITTLE],
    ["big-endian", BIG],
  ])("is read %s", (_, order) => {
    const packet = enhancedPacket(order, 0, 1_700_000_000_123_456n, DATA, { original: 60 });
    expect(framesOf(sectionHeader(order), interfaceBlock(order, 104), packet)).toEqual([
      {
        seconds: 1_700_000_000,
        nanoseconds: 123_456_000,
        data: DATA,
        originalLength: 60,
        linkType: 104,
        interfaceId: 0,
      },
    ]);
  });

  it("may contain only a section", () => {
    expect(framesOf(SECTION)).toEqual([]);
  });

  it.each([
    [
      "nanoseconds",
      [option(LITTLE, 9, Uint8Array.of(9))],
      1_700_000_000_123_456_789n,
      1_700_000_000,
      123_456_789,
    ],
    [
      "2^-10 seconds",
      [option(LITTLE, 9, Uint8Array.of(0x8a))],
      (1_700_000_000n << 10n) + 512n,
      1_700_000_000,
      500_000_000,
    ],
    ["an offset", [option(LITTLE, 14, LITTLE.i64(1_000n))], 2_000_000n, 1_002, 0],
    ["a negative offset", [option(LITTLE, 14, LITTLE.i64(-5n))], 2_000_001n, -3, 1_000],
    [
      "both, among options unknown",
      [COMMENT, option(LITTLE, 14, LITTLE.i64(1n)), option(LITTLE, 9, Uint8Array.of(3)), COMMENT],
      1_500n,
      2,
      500_000_000,
    ],
  ] as [string, Uint8Array[], bigint, number, number][])(
    "has the time unit of its interface: %s",
    (_, options, ticks, seconds, nanoseconds) => {
      const [frame] = framesOf(SECTION, timedInterface(...options), enhancedPacket(LITTLE, 0, ticks, DATA));
      expect(frame).toMatchObject({ seconds, nanoseconds });
    },
  );

  it("ignores options after the end of options", () => {
    const [frame] = framesOf(
      SECTION,
      interfaceBlock(LITTLE, 1, 0, END, option(LITTLE, 9, Uint8Array.of(0))),
      enhancedPacket(LITTLE, 0, 1_000_000n, DATA),
    );
    expect(frame?.seconds).toBe(1);
  });

  it("can have several interfaces, described before or between packets", () => {
    const frames = framesOf(
      SECTION,
      ETHERNET,
      enhancedPacket(LITTLE, 0, 1n, DATA),
      interfaceBlock(LITTLE, 11, 0, option(LITTLE, 9, Uint8Array.of(0))),
      enhancedPacket(LITTLE, 1, 1n, DATA),
      enhancedPacket(LITTLE, 0, 1n, DATA),
    );
    expect(frames.map(({ interfaceId, linkType, seconds }) => [interfaceId, linkType, seconds])).toEqual([
      [0, 1, 0],
      [1, 100, 1],
      [0, 1, 0],
    ]);
  });

  it("can have several sections, each with its own byte order and interfaces", () => {
    const frames = framesOf(
      SECTION,
      ETHERNET,
      enhancedPacket(LITTLE, 0, 1n, DATA),
      sectionHeader(BIG),
      interfaceBlock(BIG, 104),
      interfaceBlock(BIG, 107),
      enhancedPacket(BIG, 1, 2n, DATA),
    );
    expect(
      frames.map(({ interfaceId, linkType, nanoseconds }) => [interfaceId, linkType, nanoseconds]),
    ).toEqual([
      [0, 1, 1_000],
      [2, 107, 2_000],
    ]);
  });

  it("can have simple packets, cut to their interface's snaplen, without a time", () => {
    const simple = (original: number, data: Uint8Array) => block(LITTLE, 3, LITTLE.u32(original), data);
    const whole = framesOf(SECTION, ETHERNET, simple(5, DATA));
    const cut = framesOf(
      SECTION,
      interfaceBlock(LITTLE, 1, 3),
      simple(60, DATA.subarray(0, 3)),
      simple(2, DATA.subarray(0, 2)),
    );
    expect(whole).toEqual([
      { seconds: 0, nanoseconds: 0, data: DATA, originalLength: 5, linkType: 1, interfaceId: 0 },
    ]);
    expect(cut.map(({ data, originalLength }) => [data.length, originalLength])).toEqual([
      [3, 60],
      [2, 2],
    ]);
  });

  it("can have old packet blocks", () => {
    const old = block(LITTLE, 2, LITTLE.u16(0, 7), LITTLE.u32(0, 1_500_000, 5, 60), DATA);
    expect(framesOf(SECTION, ETHERNET, old)).toMatchObject([
      { seconds: 1, nanoseconds: 500_000_000, data: DATA, originalLength: 60, interfaceId: 0 },
    ]);
  });

  it("may contain unknown blocks and options of packets and sections, which are skipped", () => {
    const unknown = block(LITTLE, 0x0bad_beef, new Uint8Array(1_000).fill(0xff));
    const empty = block(LITTLE, 5);
    const packet = enhancedPacket(LITTLE, 0, 1n, DATA, { options: [COMMENT, END] });
    expect(
      framesOf(sectionHeader(LITTLE, COMMENT, END), unknown, ETHERNET, empty, packet, unknown),
    ).toHaveLength(1);
  });

  it("may have section version 1.0 or 1.2", () => {
    const minor2 = block(LITTLE, 0x0a0d0d0a, LITTLE.u32(0x1a2b3c4d), LITTLE.u16(1, 2), LITTLE.i64(-1n));
    expect(framesOf(minor2, ETHERNET, enhancedPacket(LITTLE, 0, 1n, DATA))).toHaveLength(1);
  });
});

describe("an invalid pcapng", () => {
  const packet = (captured: number) => enhancedPacket(LITTLE, 0, 1n, DATA, { captured });
  const badTrailer = concat(ETHERNET.subarray(0, -4), LITTLE.u32(24));

  it.each([
    [
      "no byte-order magic",
      [hex("0a0d0d0a 1c000000 00000000"), new Uint8Array(16)],
      "pcapng.bad-byte-order-magic",
      8,
      "section header at byte 0 has no byte-order magic",
    ],
    [
      "another version",
      [block(LITTLE, 0x0a0d0d0a, LITTLE.u32(0x1a2b3c4d), LITTLE.u16(2, 0), LITTLE.i64(-1n))],
      "pcapng.unsupported-version",
      12,
      "section at byte 0 has version 2, only 1 is supported",
    ],
    [
      "a block of length 0",
      [SECTION, LITTLE.u32(5, 0, 0)],
      "pcapng.bad-block-length",
      32,
      "block at byte 28 claims a length of 0; it takes at least 12 and a multiple of 4",
    ],
    [
      "a block of odd length",
      [SECTION, LITTLE.u32(5, 13, 0, 0)],
      "pcapng.bad-block-length",
      32,
      "block at byte 28 claims a length of 13; it takes at least 12 and a multiple of 4",
    ],
    [
      "a packet block too short for one",
      [SECTION, ETHERNET, LITTLE.u32(6, 28, 0, 0, 0, 0, 28)],
      "pcapng.bad-block-length",
      START + 4,
      `block at byte ${START} claims a length of 28; it takes at least 32 and a multiple of 4`,
    ],
    [
      "lengths that disagree",
      [SECTION, badTrailer],
      "pcapng.bad-block-length",
      44,
      "block at byte 28 begins with length 20 and ends with 24",
    ],
    [
      "lengths that disagree in an unknown block",
      [SECTION, LITTLE.u32(99, 12, 16)],
      "pcapng.bad-block-length",
      36,
      "block at byte 28 begins with length 12 and ends with 16",
    ],
    [
      "a known block of absurd length",
      [SECTION, LITTLE.u32(6, 0xffff_fffc, 0)],
      "pcapng.block-too-large",
      32,
      "block at byte 28 claims 4294967292 bytes, more than the 16777216 allowed",
    ],
    [
      "half a section header",
      [SECTION.subarray(0, 20)],
      "pcapng.header-truncated",
      0,
      "the section header at byte 0 is cut off by the end of the file",
    ],
    [
      "a packet longer than its block",
      [SECTION, ETHERNET, packet(9)],
      "pcapng.bad-packet-length",
      START,
      `packet at byte ${START} claims 9 bytes, its block has room for 8`,
    ],
    [
      "a packet of absurd length",
      [SECTION, ETHERNET, packet(0xffff_ffff)],
      "pcapng.bad-packet-length",
      START,
      `packet at byte ${START} claims 4294967295 bytes, its block has room for 8`,
    ],
    [
      "a packet over the limit",
      [SECTION, ETHERNET, enhancedPacket(LITTLE, 0, 1n, new Uint8Array(262_145))],
      "pcapng.bad-packet-length",
      START,
      `packet at byte ${START} claims 262145 bytes, more than the 262144 allowed`,
    ],
    [
      "a simple packet longer than its block",
      [SECTION, ETHERNET, block(LITTLE, 3, LITTLE.u32(60), DATA)],
      "pcapng.bad-packet-length",
      START,
      `packet at byte ${START} claims 60 bytes, its block has room for 8`,
    ],
    [
      "an unknown interface",
      [SECTION, ETHERNET, enhancedPacket(LITTLE, 1, 1n, DATA)],
      "pcapng.unknown-interface",
      START,
      `packet at byte ${START} names interface 1, which its section does not have`,
    ],
    [
      "an interface of another section",
      [SECTION, ETHERNET, SECTION, enhancedPacket(LITTLE, 0, 1n, DATA)],
      "pcapng.unknown-interface",
      START + 28,
      `packet at byte ${START + 28} names interface 0, which its section does not have`,
    ],
    [
      "a simple packet without an interface",
      [SECTION, block(LITTLE, 3, LITTLE.u32(5), DATA)],
      "pcapng.unknown-interface",
      28,
      "packet at byte 28 names interface 0, which its section does not have",
    ],
    [
      "an option past its block",
      [SECTION, interfaceBlock(LITTLE, 1, 0, LITTLE.u16(9, 1))],
      "pcapng.bad-option",
      44,
      "option 9 at byte 44 claims 1 bytes, its block ends before",
    ],
    [
      "a time resolution of two bytes",
      [SECTION, timedInterface(option(LITTLE, 9, hex("0606")))],
      "pcapng.bad-option",
      44,
      "option 9 at byte 44 takes 1 bytes, not 2",
    ],
    [
      "a time offset beyond counting",
      [SECTION, timedInterface(option(LITTLE, 14, LITTLE.i64(2n ** 62n)))],
      "pcapng.bad-option",
      44,
      `option 14 at byte 44 shifts times by ${2n ** 62n} seconds`,
    ],
    [
      "a time beyond counting",
      [SECTION, timedInterface(option(LITTLE, 9, hex("00"))), enhancedPacket(LITTLE, 0, 2n ** 63n, DATA)],
      "pcapng.time-out-of-range",
      START + 12,
      `packet at byte ${START + 12} has a time of ${2 ** 63} seconds`,
    ],
  ] as [string, Uint8Array[], string, number, string][])("%s", (_, parts, code, offset, message) => {
    expect(faultOf(...parts)).toEqual({ code, offset, message: `pcapng: ${message}` });
  });
});
