/** Identifies raster images by their first bytes, and validates each format's header before it uses the size. */
import { crc32 } from "node:zlib";
import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import type { Size } from "./svg-size.ts";

export type Raster =
  | { readonly ok: true; readonly contentType: string; readonly size: Size }
  | { readonly ok: false; readonly found: string };

interface Format {
  readonly name: string;
  readonly contentType: string;
  readonly isSigned: (bytes: Buffer) => boolean;
  readonly isSound: (bytes: Buffer) => boolean;
  readonly codec: { readonly calculate: (bytes: Uint8Array) => { width?: number; height?: number } };
}

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString("latin1", at, at + text.length) === text;

const FORMATS: readonly Format[] = [
  {
    name: "PNG",
    contentType: "image/png",
    isSigned: (bytes) => startsWith(bytes, "\x89PNG\r\n\x1a\n"),
    isSound: hasSoundIhdr,
    codec: PNG,
  },
  {
    name: "JPEG",
    contentType: "image/jpeg",
    isSigned: (bytes) => startsWith(bytes, "\xff\xd8\xff"),
    isSound: () => true,
    codec: JPG,
  },
  {
    name: "GIF",
    contentType: "image/gif",
    isSigned: (bytes) => startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a"),
    isSound: (bytes) => bytes.length > GIF_SCREEN_END,
    codec: GIF,
  },
  {
    name: "WebP",
    contentType: "image/webp",
    isSigned: (bytes) => startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8),
    isSound: hasSoundWebpChunk,
    codec: WEBP,
  },
];

/** Signature and logical screen descriptor (GIF89a, 17 and 18); at least the trailer follows. */
const GIF_SCREEN_END = 13;

/** @returns undefined when the bytes start like none of the accepted formats. */
export function readRaster(input: Uint8Array): Raster | undefined {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const format = FORMATS.find(({ isSigned }) => isSigned(bytes));
  if (format === undefined) return undefined;
  const size = format.isSound(bytes) ? measure(format, bytes) : undefined;
  if (size === undefined) return { ok: false, found: `a broken ${format.name} image` };
  return { ok: true, contentType: format.contentType, size };
}

function measure({ codec }: Format, bytes: Buffer): Size | undefined {
  try {
    const { width, height } = codec.calculate(bytes);
    return isSide(width) && isSide(height) ? { width, height } : undefined;
  } catch {
    // The library throws arbitrary errors when it reads past the end of an image; here they mean a damaged image.
    return undefined;
  }
}

const isSide = (side: number | undefined): side is number => Number.isInteger(side) && side! > 0;

/** Colour type -> the bit depths that it allows (PNG, 11.2.1). */
const PNG_BIT_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const IHDR = { lengthAt: 8, typeAt: 12, dataAt: 16, dataLength: 13, crcAt: 29, end: 33 } as const;
const PNG_MAX_SIDE = 2 ** 31 - 1;

function hasSoundIhdr(bytes: Buffer): boolean {
  if (bytes.length < IHDR.end || bytes.readUInt32BE(IHDR.lengthAt) !== IHDR.dataLength) return false;
  if (!startsWith(bytes, "IHDR", IHDR.typeAt)) return false;
  const [depth, colour, compression, filter, interlace] = bytes.subarray(IHDR.dataAt + 8, IHDR.crcAt);
  const sides = [bytes.readUInt32BE(IHDR.dataAt), bytes.readUInt32BE(IHDR.dataAt + 4)];
  return (
    sides.every((side) => side <= PNG_MAX_SIDE) &&
    (PNG_BIT_DEPTHS[colour!]?.includes(depth!) ?? false) &&
    compression === 0 &&
    filter === 0 &&
    interlace! <= 1 &&
    crc32(bytes.subarray(IHDR.typeAt, IHDR.crcAt)) === bytes.readUInt32BE(IHDR.crcAt)
  );
}

/** Kind of a WebP file's first chunk -> the bytes it has at least, and those it starts with after `skip` others. */
const WEBP_CHUNKS: Readonly<Record<string, { minBytes: number; skip: number; start: string }>> = {
  "VP8 ": { minBytes: 10, skip: 3, start: "\x9d\x01\x2a" },
  VP8L: { minBytes: 5, skip: 0, start: "\x2f" },
  VP8X: { minBytes: 10, skip: 0, start: "" },
};
const WEBP_CHUNK_DATA = 20;

/** The first chunk lies within the file and starts as its kind does (RFC 9649, 2.4 to 2.7). */
function hasSoundWebpChunk(bytes: Buffer): boolean {
  const kind = WEBP_CHUNKS[bytes.toString("latin1", 12, 16)];
  if (kind === undefined || bytes.length < WEBP_CHUNK_DATA) return false;
  const riffEnd = 8 + bytes.readUInt32LE(4);
  const chunkBytes = bytes.readUInt32LE(16);
  return (
    riffEnd <= bytes.length &&
    WEBP_CHUNK_DATA + chunkBytes <= riffEnd &&
    chunkBytes >= kind.minBytes &&
    startsWith(bytes, kind.start, WEBP_CHUNK_DATA + kind.skip)
  );
}
