/**
 * The compression methods of zip archives that desktop clients offer, by their numbers in APPNOTE.TXT 6.3.10, section 4.4.5. Each is bounded by the
 * size that the archive announces.
 */
import { inflateRawSync, zstdDecompressSync } from "node:zlib";
import type { Unpack } from "@wirelab/lab/zip/read-zip";
import Bunzip from "seek-bzip";
import { decompress as decompressLzma } from "./lzma.js";

/** zlib takes no limit of 0. */
const limit = (sizeBytes: number) => ({ maxOutputLength: Math.max(1, sizeBytes) });

const LZMA_HEAD_BYTES = 4;
const LZMA_PROPERTIES_BYTES = 5;
const LZMA_LEAST_DICTIONARY = 4_096;

/**
 * An entry has a version, the length of the properties and the properties (APPNOTE.TXT, section 5.8.8); a file of its own would have the size behind
 * them. A dictionary is never longer than what it describes, so a claimed one costs no memory.
 */
function unpackLzma(packed: Uint8Array, sizeBytes: number): Uint8Array {
  if (packed[2] !== LZMA_PROPERTIES_BYTES || packed[3] !== 0) throw new RangeError("unknown properties");
  const start = LZMA_HEAD_BYTES + LZMA_PROPERTIES_BYTES;
  const head = Buffer.alloc(LZMA_PROPERTIES_BYTES + 8);
  head.set(packed.subarray(LZMA_HEAD_BYTES, start));
  head.writeUInt32LE(Math.min(head.readUInt32LE(1), Math.max(sizeBytes, LZMA_LEAST_DICTIONARY)), 1);
  head.writeBigUInt64LE(BigInt(sizeBytes), LZMA_PROPERTIES_BYTES);
  return decompressLzma(Buffer.concat([head, packed.subarray(start)]));
}

function unpackBzip2(packed: Uint8Array, sizeBytes: number): Uint8Array {
  const unpacked = Buffer.alloc(sizeBytes);
  Bunzip.decode(packed, unpacked);
  return unpacked;
}

const METHODS: Readonly<Record<number, Unpack>> = {
  0: (packed) => packed,
  8: (packed, sizeBytes) => inflateRawSync(packed, limit(sizeBytes)),
  12: unpackBzip2,
  14: unpackLzma,
  93: (packed, sizeBytes) => zstdDecompressSync(packed, limit(sizeBytes)),
};

export const unpackerOf = (method: number): Unpack | undefined => METHODS[method];

/** For messages. */
export const METHOD_NAMES = "entries that are stored, or compressed with deflate, bzip2, LZMA or Zstandard";
