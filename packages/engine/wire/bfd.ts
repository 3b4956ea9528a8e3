/**
 * BFD control packets (RFC 5880, section 4.1).
 *
 *     0        1      2     3       4        8        12          16         20
 *     version  state  mult  length  my       your     desired     required   required
 *     diag     flags                discr.   discr.   min TX us   min RX us  min echo RX us
 */
import { readU32, writeU32 } from "../base/bytes.ts";
import { bytesText, lacks, type Protocol } from "./protocol.ts";
import { dec8, dec32, withName } from "./show.ts";

/** Of one hop (RFC 5881, section 4), and of many (RFC 5883, section 5). */
export const BFD_PORT = 3784;
export const BFD_MULTIHOP_PORT = 4784;
/** RFC 5881, section 4: the least source port. */
export const BFD_SOURCE_PORT = 49_152;
/** A receiver of one hop discards packets with another TTL (RFC 5881, section 5). */
export const BFD_TTL = 255;

/** In the order of their codes. */
export const BFD_STATES = ["admin-down", "down", "init", "up"] as const;
export type BfdState = (typeof BFD_STATES)[number];

/** Section 4.1: why the state changed last. */
export const BFD_DIAGNOSTICS = [
  "none",
  "control detection time expired",
  "echo function failed",
  "neighbor signaled session down",
  "forwarding plane reset",
  "path down",
  "concatenated path down",
  "administratively down",
  "reverse concatenated path down",
] as const;
export type BfdDiagnostic = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const VERSION = 1;
const BYTES = 24;
const STATE_SHIFT = 6;
const POLL = 0x20;
const FINAL = 0x10;
const AUTHENTICATED = 0x04;
const DEMAND = 0x02;
const MULTIPOINT = 0x01;

export interface BfdPacket {
  /** 0 to 31. */
  readonly diagnostic: number;
  readonly state: BfdState;
  readonly isPoll: boolean;
  readonly isFinal: boolean;
  readonly isDemand: boolean;
  readonly multiplier: number;
  readonly mine: number;
  /** 0: unknown. */
  readonly yours: number;
  readonly desiredTxUs: number;
  readonly requiredRxUs: number;
}

export function encodeBfd({
  diagnostic,
  state,
  isPoll,
  isFinal,
  isDemand,
  multiplier,
  mine,
  yours,
  desiredTxUs,
  requiredRxUs,
}: BfdPacket): Uint8Array {
  const packet = new Uint8Array(BYTES);
  const flags = (isPoll ? POLL : 0) | (isFinal ? FINAL : 0) | (isDemand ? DEMAND : 0);
  packet.set([
    (VERSION << 5) | diagnostic,
    (BFD_STATES.indexOf(state) << STATE_SHIFT) | flags,
    multiplier,
    BYTES,
  ]);
  for (const [at, value] of [
    [4, mine],
    [8, yours],
    [12, desiredTxUs],
    [16, requiredRxUs],
  ] as const)
    writeU32(packet, at, value);
  return packet;
}

/** Returns why a receiver discards the packet (RFC 5880, section 6.8.6), or the packet. Authentication is not there. */
export function decodeBfd(packet: Uint8Array): BfdPacket | string {
  if (packet.length < BYTES) return `BFD takes ${bytesText(BYTES)}, ${packet.length} are there`;
  const [first = 0, second = 0, multiplier = 0, length = 0] = packet;
  if (first >> 5 !== VERSION) return `BFD version ${first >> 5}`;
  if (length < BYTES || length > packet.length) return `BFD length ${length} in ${bytesText(packet.length)}`;
  if (multiplier === 0) return "BFD detection multiplier 0";
  if ((second & MULTIPOINT) !== 0) return "BFD multipoint bit";
  if ((second & AUTHENTICATED) !== 0) return "BFD authentication";
  const mine = readU32(packet, 4);
  const yours = readU32(packet, 8);
  const state = BFD_STATES[second >> STATE_SHIFT]!;
  if (mine === 0) return "BFD discriminator 0";
  if (yours === 0 && (state === "init" || state === "up"))
    return `BFD state ${state} without your discriminator`;
  return {
    diagnostic: first & 0x1f,
    state,
    isPoll: (second & POLL) !== 0,
    isFinal: (second & FINAL) !== 0,
    isDemand: (second & DEMAND) !== 0,
    multiplier,
    mine,
    yours,
    desiredTxUs: readU32(packet, 12),
    requiredRxUs: readU32(packet, 16),
  };
}

/** Part of a byte, with the name of its value. */
const bits =
  (shift: number, mask: number, names: readonly string[] = []) =>
  (bytes: Uint8Array, at: number): string => {
    const value = (bytes[at]! >> shift) & mask;
    return withName(String(value), names[value]);
  };
const microseconds = (bytes: Uint8Array, at: number): string => `${readU32(bytes, at)} us`;
const flag = (bit: number) => (bytes: Uint8Array, at: number) =>
  (bytes[at]! & bit) !== 0 ? "set" : "not set";

export const BFD: Protocol = {
  name: "BFD",
  length: () => BYTES,
  check: (place) => {
    const cut = lacks(place, BYTES, "BFD");
    if (cut !== undefined) return cut;
    const version = place.bytes[place.at]! >> 5;
    return version === VERSION ? undefined : { text: `BFD version ${version}`, isOther: true };
  },
  isGuess: true,
  layout: [
    ["Version", 0, 1, bits(5, 7)],
    ["Diagnostic", 0, 1, bits(0, 0x1f, BFD_DIAGNOSTICS)],
    ["State", 1, 1, bits(STATE_SHIFT, 3, BFD_STATES)],
    ["Poll", 1, 1, flag(POLL)],
    ["Final", 1, 1, flag(FINAL)],
    ["Control plane independent", 1, 1, flag(0x08)],
    ["Authentication present", 1, 1, flag(AUTHENTICATED)],
    ["Demand", 1, 1, flag(DEMAND)],
    ["Multipoint", 1, 1, flag(MULTIPOINT)],
    ["Detection multiplier", 2, 1, dec8],
    ["Length", 3, 1, dec8],
    ["My discriminator", 4, 4, dec32],
    ["Your discriminator", 8, 4, dec32],
    ["Desired minimum TX interval", 12, 4, microseconds],
    ["Required minimum RX interval", 16, 4, microseconds],
    ["Required minimum echo RX interval", 20, 4, microseconds],
  ],
  line: ({ bytes, at }) => {
    const state = BFD_STATES[bytes[at + 1]! >> STATE_SHIFT]!;
    const marks = [bytes[at + 1]! & POLL ? " poll" : "", bytes[at + 1]! & FINAL ? " final" : ""].join("");
    return `${state}${marks} mult=${bytes[at + 2]} my=${readU32(bytes, at + 4)} your=${readU32(bytes, at + 8)}`;
  },
};
