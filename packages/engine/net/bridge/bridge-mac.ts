/** The address of a switch, from which those of its ports follow: 32 bits of the name's FNV-1a hash, locally administered. */
export function bridgeMac(name: string): number {
  let hash = 0x811c_9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x0100_0193) >>> 0;
  return 0x0200_0000_0000 + hash * 0x100;
}
