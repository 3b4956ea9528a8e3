/**
 * The classic pcap file (draft-ietf-opsawg-pcap):
 *
 *     file header, 24 bytes                       record header, 16 bytes, then the captured bytes
 *      0  magic                u32                 0  seconds since 1970      u32
 *      4  version major 2      u16                 4  micro- or nanoseconds   u32
 *      6  version minor 4      u16                 8  captured length         u32
 *      8  reserved (time zone) u32                12  original length         u32
 *     12  reserved (accuracy)  u32
 *     16  snaplen              u32
 *     20  link type and FCS    u32
 */

export const FILE_HEADER_BYTES = 24;
export const RECORD_HEADER_BYTES = 16;
export const PCAP_VERSION_MAJOR = 2;
export const PCAP_VERSION_MINOR = 4;

/** Link type field: the upper bits tell the length of a frame check sequence (as libpcap's LT_LINKTYPE masks them). */
export const LINK_TYPE_MASK = 0x03ff_ffff;

/** The unit of the fraction in a record's time. */
export type Resolution = "microsecond" | "nanosecond";

export const NS_PER_TICK: Record<Resolution, number> = { microsecond: 1_000, nanosecond: 1 };

/** The magic number of a file, written in its own byte order. */
export const PCAP_MAGIC: Record<Resolution, number> = { microsecond: 0xa1b2c3d4, nanosecond: 0xa1b23c4d };

/** Byte order and resolution, by the first four bytes read big-endian. */
export const CLASSIC_FORMATS = new Map<number, { littleEndian: boolean; resolution: Resolution }>([
  [0xa1b2c3d4, { littleEndian: false, resolution: "microsecond" }],
  [0xd4c3b2a1, { littleEndian: true, resolution: "microsecond" }],
  [0xa1b23c4d, { littleEndian: false, resolution: "nanosecond" }],
  [0x4d3cb2a1, { littleEndian: true, resolution: "nanosecond" }],
]);

/** Files people do send, by the first four bytes read big-endian: known, so that the refusal can say what they are. */
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
