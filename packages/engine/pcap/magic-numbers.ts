/** Identifies a capture file by its first bytes. */
import type { Resolution } from "./classic-format.ts";

/** Byte order and resolution, by the first four bytes read big-endian. */
export const CLASSIC_FORMATS = new Map<number, { littleEndian: boolean; resolution: Resolution }>([
  [0xa1b2c3d4, { littleEndian: false, resolution: "microsecond" }],
  [0xd4c3b2a1, { littleEndian: true, resolution: "microsecond" }],
  [0xa1b23c4d, { littleEndian: false, resolution: "nanosecond" }],
  [0x4d3cb2a1, { littleEndian: true, resolution: "nanosecond" }],
]);

/** Unsupported formats that users send, by the first four bytes read big-endian, so that the error can name the format. */
export const REFUSED_FORMATS = new Map<number, string>([
  [0xa1b2cd34, "a 'modified' pcap (Kuznetzov's), whose record headers are longer"],
  [0x34cdb2a1, "a 'modified' pcap (Kuznetzov's), whose record headers are longer"],
  [0xa1e2cb12, "a Navtel pcap"],
  [0x12cbe2a1, "a Navtel pcap"],
  [0x1c0001ac, "an IXIA pcap"],
  [0xac01001c, "an IXIA pcap"],
  [0x1c0001ab, "an IXIA pcap"],
  [0xab01001c, "an IXIA pcap"],
  [0x736e6f6f, "a snoop capture (RFC 1761)"],
  [0x28b52ffd, "compressed with zstd: decompress it first"],
  [0x04224d18, "compressed with lz4: decompress it first"],
  [0x504b0304, "a zip archive: unpack it first"],
]);

/** A gzip stream begins with these two bytes (RFC 1952 section 2.3.1). */
export const GZIP_MAGIC = 0x1f8b;
