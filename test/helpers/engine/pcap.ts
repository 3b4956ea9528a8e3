/** Capture files assembled byte by byte from the format's specification, so that tests do not depend on the engine's writer. */

import fc from "fast-check";

/** Bytes from text such as "d4c3b2a1 0200 0400"; white space is ignored. */
export function hex(text: string): Uint8Array {
  return Uint8Array.from(text.replace(/\s+/g, "").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function concat(...parts: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Whole numbers in one byte order. */
export class ByteOrder {
  readonly littleEndian: boolean;

  constructor(littleEndian: boolean) {
    this.littleEndian = littleEndian;
  }

  u16(...values: number[]): Uint8Array {
    const bytes = new Uint8Array(2 * values.length);
    for (const [index, value] of values.entries()) {
      new DataView(bytes.buffer).setUint16(2 * index, value, this.littleEndian);
    }
    return bytes;
  }

  u32(...values: number[]): Uint8Array {
    const bytes = new Uint8Array(4 * values.length);
    for (const [index, value] of values.entries()) {
      new DataView(bytes.buffer).setUint32(4 * index, value, this.littleEndian);
    }
    return bytes;
  }

  i64(value: bigint): Uint8Array {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, value, this.littleEndian);
    return bytes;
  }
}

export const LITTLE = new ByteOrder(true);
export const BIG = new ByteOrder(false);

/** A classic file header. */
export function pcapHeader(order: ByteOrder, magic: number, linkType: number, snaplen = 65_535): Uint8Array {
  return concat(order.u32(magic), order.u16(2, 4), order.u32(0, 0, snaplen, linkType));
}

/** A classic record; the lengths default to the data's. */
export function pcapRecord(
  order: ByteOrder,
  seconds: number,
  fraction: number,
  data: Uint8Array,
  { captured = data.length, original = data.length } = {},
): Uint8Array {
  return concat(order.u32(seconds, fraction, captured, original), data);
}

/** A pcapng block around a body, padded to four bytes. */
export function block(order: ByteOrder, type: number, ...body: Uint8Array[]): Uint8Array {
  const content = padded(concat(...body));
  const length = order.u32(content.length + 12);
  return concat(order.u32(type), length, content, length);
}

function padded(bytes: Uint8Array): Uint8Array {
  return concat(bytes, new Uint8Array((4 - (bytes.length % 4)) % 4));
}

export function option(order: ByteOrder, code: number, value: Uint8Array): Uint8Array {
  return concat(order.u16(code, value.length), padded(value));
}

export function sectionHeader(order: ByteOrder, ...options: Uint8Array[]): Uint8Array {
  return block(order, 0x0a0d0d0a, order.u32(0x1a2b3c4d), order.u16(1, 0), order.i64(-1n), ...options);
}

export function interfaceBlock(
  order: ByteOrder,
  linkType: number,
  snaplen = 0,
  ...options: Uint8Array[]
): Uint8Array {
  return block(order, 1, order.u16(linkType, 0), order.u32(snaplen), ...options);
}

/** An enhanced packet block stamped with a 64-bit tick count. */
export function enhancedPacket(
  order: ByteOrder,
  interfaceId: number,
  ticks: bigint,
  data: Uint8Array,
  { captured = data.length, original = data.length, options = [] as Uint8Array[] } = {},
): Uint8Array {
  const time = [Number(ticks >> 32n), Number(ticks & 0xffff_ffffn)];
  return block(order, 6, order.u32(interfaceId, ...time, captured, original), padded(data), ...options);
}

export interface FileFrame {
  seconds: number;
  nanoseconds: number;
  data: Uint8Array;
  originalLength: number;
}

/** Any frame that a classic pcap can hold, at microsecond times. */
export const fileFrame: fc.Arbitrary<FileFrame> = fc
  .record({
    seconds: fc.integer({ min: 0, max: 0xffff_ffff }),
    microseconds: fc.integer({ min: 0, max: 999_999 }),
    data: fc.uint8Array({ maxLength: 200 }),
    cut: fc.integer({ min: 0, max: 2_000 }),
  })
  .map(({ seconds, microseconds, data, cut }) => ({
    seconds,
    nanoseconds: microseconds * 1_000,
    data,
    originalLength: data.length + cut,
  }));

const byteOrder = fc.constantFrom(LITTLE, BIG);

/** Any classic pcap, and the frames in it. */
export const classicFile = fc
  .record({ order: byteOrder, nano: fc.boolean(), frames: fc.array(fileFrame, { maxLength: 8 }) })
  .map(({ order, nano, frames }) => {
    const records = frames.map(({ seconds, nanoseconds, data, originalLength }) =>
      pcapRecord(order, seconds, nano ? nanoseconds : nanoseconds / 1_000, data, {
        original: originalLength,
      }),
    );
    return { bytes: concat(pcapHeader(order, nano ? 0xa1b23c4d : 0xa1b2c3d4, 1), ...records), frames };
  });

/** Any pcapng of several sections with unknown blocks in between, and the frames in it. */
export const pcapngFile = fc
  .array(
    fc.record({
      order: byteOrder,
      frames: fc.array(fileFrame, { maxLength: 4 }),
      unknown: fc.uint8Array({ maxLength: 99 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((sections) => ({
    bytes: concat(
      ...sections.flatMap(({ order, frames, unknown }) => [
        sectionHeader(order),
        interfaceBlock(order, 1),
        block(order, 0x0bad, unknown),
        ...frames.map(({ seconds, nanoseconds, data, originalLength }) => {
          const ticks = BigInt(seconds) * 1_000_000n + BigInt(nanoseconds / 1_000);
          return enhancedPacket(order, 0, ticks, data, { original: originalLength });
        }),
      ]),
    ),
    frames: sections.flatMap(({ frames }) => frames),
  }));

/** A file in pieces, cut at arbitrary positions. */
export function cutInto(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : (ends[index - 1] as number), end));
}
