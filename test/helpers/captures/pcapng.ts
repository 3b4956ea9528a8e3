/** Reads the little-endian pcapng that the service writes, without the service's reader. */

export interface PcapngFile {
  readonly interfaces: { linkType: number; snaplen: number; name?: string; filter?: string | undefined }[];
  /** Packets with times in microseconds, the default of an interface without options. */
  readonly packets: { interfaceId: number; timeUs: number; data: Buffer; originalLength: number }[];
}

export function parsePcapng(file: Buffer): PcapngFile {
  const found: PcapngFile = { interfaces: [], packets: [] };
  for (let at = 0; at < file.length; ) {
    const type = file.readUInt32LE(at);
    const length = file.readUInt32LE(at + 4);
    const block = file.subarray(at, at + length);
    if (block.length !== length || file.readUInt32LE(at + length - 4) !== length)
      throw new Error(`The block at ${at} is not whole`);
    if (at === 0 && type !== 0x0a0d0d0a) throw new Error("no section header");
    if (type === 1) found.interfaces.push(parseInterface(block));
    if (type === 6) found.packets.push(parsePacket(block));
    at += length;
  }
  return found;
}

function parseInterface(block: Buffer): PcapngFile["interfaces"][number] {
  const options = new Map<number, Buffer>();
  for (let at = 16; at < block.length - 4; ) {
    const length = block.readUInt16LE(at + 2);
    options.set(block.readUInt16LE(at), block.subarray(at + 4, at + 4 + length));
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return {
    linkType: block.readUInt16LE(8),
    snaplen: block.readUInt32LE(12),
    name: String(options.get(2)),
    filter: options.get(11)?.toString("utf8", 1),
  };
}

function parsePacket(block: Buffer): PcapngFile["packets"][number] {
  return {
    interfaceId: block.readUInt32LE(8),
    timeUs: block.readUInt32LE(12) * 2 ** 32 + block.readUInt32LE(16),
    data: block.subarray(28, 28 + block.readUInt32LE(20)),
    originalLength: block.readUInt32LE(24),
  };
}
