/** The checksum of zip archives (ISO 3309), for platforms without node:zlib. */

const POLYNOMIAL = 0xedb8_8320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++)
    remainder = remainder & 1 ? (remainder >>> 1) ^ POLYNOMIAL : remainder >>> 1;
  return remainder;
});

export function crc32(bytes: Uint8Array): number {
  let checksum = 0xffff_ffff;
  for (const byte of bytes) checksum = (checksum >>> 8) ^ TABLE[(checksum ^ byte) & 0xff]!;
  return (checksum ^ 0xffff_ffff) >>> 0;
}
