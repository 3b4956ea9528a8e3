/** NTP (RFC 5905, section 7.3): the payload of a UDP datagram of port 123. */
import { readU32 } from "../base/bytes.ts";
import type { Names, Protocol } from "./protocol.ts";
import { dec8, flagNames, hex32 } from "./show.ts";

export const NTP_PORT = 123;
export const NTP_BYTES = 48;
/** Seconds from 1900 to 1970. */
export const NTP_EPOCH_SECONDS = 2_208_988_800;

const MODES: Names = { 1: "active", 2: "passive", 3: "client", 4: "server", 5: "broadcast" };
const LEAP_UNKNOWN = [[0xc0, "clock not set"]] as const;

const time = (bytes: Uint8Array, at: number): string => {
  const [seconds, fraction] = [readU32(bytes, at), readU32(bytes, at + 4)];
  if (seconds === 0 && fraction === 0) return "none";
  return `${seconds - NTP_EPOCH_SECONDS + Math.round((fraction / 2 ** 32) * 1e6) / 1e6} s since 1970`;
};
const shortTime = (bytes: Uint8Array, at: number): string => `${readU32(bytes, at) / 0x1_0000} s`;

export const NTP: Protocol = {
  name: "NTP",
  isGuess: true,
  least: [NTP_BYTES, "NTP"],
  layout: [
    ["Leap indicator", 0, 1, (bytes, at) => flagNames(bytes[at]!, LEAP_UNKNOWN)],
    ["Version", 0, 1, (bytes, at) => String((bytes[at]! >> 3) & 7)],
    ["Mode", 0, 1, (bytes, at) => `${bytes[at]! & 7} (${MODES[bytes[at]! & 7] ?? "reserved"})`],
    ["Stratum", 1, 1, dec8],
    ["Poll interval", 2, 1, (bytes, at) => `2^${(bytes[at]! << 24) >> 24} s`],
    ["Precision", 3, 1, (bytes, at) => `2^${(bytes[at]! << 24) >> 24} s`],
    ["Root delay", 4, 4, shortTime],
    ["Root dispersion", 8, 4, shortTime],
    ["Reference", 12, 4, hex32],
    ["Reference time", 16, 8, time],
    ["Origin time", 24, 8, time],
    ["Receive time", 32, 8, time],
    ["Transmit time", 40, 8, time],
  ],
};
