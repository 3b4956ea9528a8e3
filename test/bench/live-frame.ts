/** The packets of live.ts: each has the time at which it was sent, in milliseconds since 1970. */
export const FRAME_BYTES = 98;
export const TIME_OFFSET = 20;
/** A number of 32 bits, little-endian. */
export const NUMBER_OFFSET = 28;
