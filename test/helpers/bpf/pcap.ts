/** The subset of pcap that the filter tests need: classic files, microseconds. Source: draft-ietf-opsawg-pcap. */

export type CapturedPacket = { readonly bytes: Uint8Array; readonly wireLength: number };

/** LINKTYPE_ values of the link types that filters compile for. */
export const LINKTYPES = {
  DLT_EN10MB: 1,
  DLT_PPP_SERIAL: 50,
  DLT_ATM_RFC1483: 100,
  DLT_C_HDLC: 104,
  DLT_FRELAY: 107,
  DLT_NULL: 0,
  DLT_PPP: 9,
  DLT_RAW: 101,
  DLT_LOOP: 108,
  DLT_LINUX_SLL: 113,
  DLT_IPV4: 228,
  DLT_IPV6: 229,
  DLT_LINUX_SLL2: 276,
  /** DLT_USER0, for which libpcap has no decoder either. */
  unknown: 147,
} as const;

/** Frames behind a header of the capture program: filters compile for them, but not for their protocols, for which libpcap does. */
export const PREFIXED_LINKTYPES = {
  DLT_PRISM_HEADER: 119,
  DLT_IEEE802_11_RADIO: 127,
  DLT_IEEE802_11_RADIO_AVS: 163,
  DLT_PPI: 192,
  DLT_NETANALYZER: 240,
  DLT_NETANALYZER_TRANSPARENT: 241,
} as const;

const MAGIC = 0xa1b2c3d4;
const SWAPPED_MAGIC = 0xd4c3b2a1;
const FILE_HEADER_BYTES = 24;
const RECORD_HEADER_BYTES = 16;
const SNAPSHOT_LENGTH = 262_144;

/** Packet number i is stamped with second i, so that a filtered copy shows which packets were kept. */
export function encodePcap(linktype: number, packets: readonly CapturedPacket[]): Buffer {
  const header = Buffer.alloc(FILE_HEADER_BYTES);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(SNAPSHOT_LENGTH, 16);
  header.writeUInt32LE(linktype, 20);
  const records = packets.flatMap(({ bytes, wireLength }, index) => {
    const record = Buffer.alloc(RECORD_HEADER_BYTES);
    record.writeUInt32LE(index, 0);
    record.writeUInt32LE(bytes.length, 8);
    record.writeUInt32LE(wireLength, 12);
    return [record, bytes];
  });
  return Buffer.concat([header, ...records]);
}

export type DecodedPcap = {
  readonly linktype: number;
  readonly packets: readonly (CapturedPacket & { readonly seconds: number })[];
};

/** Returns null for anything but a classic pcap file. */
export function decodePcap(file: Buffer): DecodedPcap | null {
  if (file.length < FILE_HEADER_BYTES) return null;
  const magic = file.readUInt32LE(0);
  if (magic !== MAGIC && magic !== SWAPPED_MAGIC) return null;
  const u32 = (at: number): number => (magic === MAGIC ? file.readUInt32LE(at) : file.readUInt32BE(at));
  const packets: (CapturedPacket & { seconds: number })[] = [];
  for (let at = FILE_HEADER_BYTES; at + RECORD_HEADER_BYTES <= file.length; ) {
    const start = at + RECORD_HEADER_BYTES;
    const end = start + u32(at + 8);
    packets.push({ seconds: u32(at), bytes: file.subarray(start, end), wireLength: u32(at + 12) });
    at = end;
  }
  return { linktype: u32(20) & 0xffff, packets };
}
