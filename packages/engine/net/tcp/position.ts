/**
 * Positions in a byte stream. A TCP header has the low 32 bits of a position; inside, a position never wraps, so that two compare as
 * numbers: a stream of 2^53 bytes would take years.
 */

/** Returns the position nearest to `near` that has these 32 bits. */
export const positionOf = (sequence: number, near: number): number => near + ((sequence - near) | 0);

export const sequenceOf = (position: number): number => position >>> 0;
