/** Padded, so that text order is number order. Keys have it, so it must not change. */
export const segmentNumber = (number: number): string => String(number).padStart(9, "0");
