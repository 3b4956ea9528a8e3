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

/** Link type field: the upper bits hold the length of a frame check sequence (libpcap's LT_LINKTYPE masks them too). */
export const LINK_TYPE_MASK = 0x03ff_ffff;

/** The unit of the fraction in a record's time. */
export type Resolution = "microsecond" | "nanosecond";

export const NS_PER_TICK: Record<Resolution, number> = { microsecond: 1_000, nanosecond: 1 };

/** The magic number of a file, written in its own byte order. */
export const PCAP_MAGIC: Record<Resolution, number> = { microsecond: 0xa1b2c3d4, nanosecond: 0xa1b23c4d };
