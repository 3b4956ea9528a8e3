/** Formats microseconds as milliseconds with three decimals. */
export const formatMs = (timeUs: number): string => (timeUs / 1000).toFixed(3);
