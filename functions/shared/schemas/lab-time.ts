/** The times of runs and packets, in the formats that clients use. */

/** Where lab time ends, in microseconds. Runs must end before 2106, where a pcap file's count of seconds overflows. */
export const LAB_TIME_END_US = Date.UTC(2100, 0) * 1_000;
const LATEST_NS = BigInt(LAB_TIME_END_US) * 1_000n;

/**
 * Parses `1700000000`, `1700000000.25` or `2026-11-21T10:00:00.25Z`, with up to nine decimals and before 2100.
 * @returns nanoseconds since 1970, or undefined if the text is invalid.
 */
export function parseLabTime(text: string): bigint | undefined {
  const parsed = parseSeconds(text) ?? parseTimestamp(text);
  return parsed !== undefined && parsed < LATEST_NS ? parsed : undefined;
}

function parseSeconds(text: string): bigint | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text);
  return match ? toNs(BigInt(match[1]!), match[2]) : undefined;
}

function parseTimestamp(text: string): bigint | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(text);
  const milliseconds = match ? Date.parse(`${match[1]}Z`) : Number.NaN;
  if (Number.isNaN(milliseconds) || milliseconds < 0) return undefined;
  return toNs(BigInt(milliseconds / 1000), match![2]);
}

const toNs = (seconds: bigint, fraction = ""): bigint =>
  seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));

/** Formats in RFC 3339 to the nanosecond; `parseLabTime` reads it. */
export const formatLabTime = (epochNs: bigint): string =>
  format(Number(epochNs / 1_000_000_000n), Number(epochNs % 1_000_000_000n), 9);

/** Formats the time of a packet, with the six decimals of a capture file. */
export const formatPacketTime = (seconds: number, nanoseconds: number): string =>
  format(seconds, Math.floor(nanoseconds / 1000), 6);

/** @param fraction of a second, in the unit of the last digit. */
const format = (seconds: number, fraction: number, digits: number): string =>
  new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, `.${String(fraction).padStart(digits, "0")}Z`);
