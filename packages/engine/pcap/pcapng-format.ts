/**
 * The pcapng file (draft-ietf-opsawg-pcapng): blocks, each
 *
 *     0  type u32 | 4  total length u32 | 8  body, padded to 4 bytes | length - 4  total length again u32
 *
 * in the byte order of its section, which begins with a section header block:
 *
 *     section header   8 byte-order magic u32, 12 version major u16, 14 minor u16, 16 section length i64, 24 options
 *     interface        8 link type u16, 10 reserved u16, 12 snaplen u32, 16 options
 *     enhanced packet  8 interface u32, 12 time high u32, 16 low u32, 20 captured u32, 24 original u32, 28 data, options
 *     packet (old)     8 interface u16, 10 drops u16, then as the enhanced packet
 *     simple packet    8 original length u32, 12 data
 */

export const SECTION_HEADER_BLOCK = 0x0a0d0d0a;
export const INTERFACE_BLOCK = 1;
export const OLD_PACKET_BLOCK = 2;
export const SIMPLE_PACKET_BLOCK = 3;
export const ENHANCED_PACKET_BLOCK = 6;

export const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
export const BYTE_ORDER_MAGIC_SWAPPED = 0x4d3c2b1a;
export const PCAPNG_VERSION_MAJOR = 1;
export const PCAPNG_VERSION_MINOR = 0;

/** Type and both lengths: the smallest block. */
export const BLOCK_OVERHEAD_BYTES = 12;
export const BLOCK_TRAILER_BYTES = 4;

/** The largest block read as a whole; libpcap's limit. Blocks of other types may be larger; they are skipped piece by piece. */
export const MAX_BLOCK_BYTES = 16 * 1024 * 1024;

/** Minimum total length of each block type that is read. Blocks of other types hold no packets. */
export const MIN_BLOCK_BYTES = new Map<number, number>([
  [SECTION_HEADER_BLOCK, 28],
  [INTERFACE_BLOCK, 20],
  [OLD_PACKET_BLOCK, 32],
  [SIMPLE_PACKET_BLOCK, 16],
  [ENHANCED_PACKET_BLOCK, 32],
]);

export const OPTION_END = 0;
export const OPTION_SHB_APPLICATION = 4;
export const OPTION_IF_NAME = 2;
export const OPTION_IF_DESCRIPTION = 3;
export const OPTION_IF_TSRESOL = 9;
export const OPTION_IF_FILTER = 11;
export const OPTION_IF_TSOFFSET = 14;
export const OPTION_HEADER_BYTES = 4;
