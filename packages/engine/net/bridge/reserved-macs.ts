/** Addresses reserved for bridges, which no bridge forwards frames to (IEEE 802.1Q, table 8-1): 01:80:c2:00:00:0x. */

const FIRST = 0x0180_c200_0000;
const LAST = 0x0180_c200_000f;

export const isReservedForBridges = (mac: number): boolean => mac >= FIRST && mac <= LAST;
