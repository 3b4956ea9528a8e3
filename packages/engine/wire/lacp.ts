/**
 * Link aggregation control (IEEE 802.1AX-2014, 6.4.2.3): a frame of the slow protocols with what a port says of itself (the actor) and
 * of the port at the other end (the partner), as far as it has heard it.
 *
 *     0         1         2                   22                    42                     58
 *     subtype   version   actor TLV of 20     partner TLV of 20     collector TLV of 16    terminator, 52 bytes of zeros
 *
 * A marker (6.5.3.3) is a frame of the same length that the other end sends back.
 */
import { readU16, writeU16 } from "../base/bytes.ts";
import { ETHERNET_HEADER_BYTES, writeEthernetHeader } from "./ethernet.ts";
import { formatMac, readMac, writeMac } from "./mac.ts";
import { bytesText, lacks, type Names, type Place, type Protocol, type Row } from "./protocol.ts";
import { dec8, dec16, hex32, mac } from "./show.ts";

export const SLOW_PROTOCOLS_MAC = 0x0180_c200_0002;
export const ETHERTYPE_SLOW = 0x8809;

export const SUBTYPE_LACP = 1;
export const SUBTYPE_MARKER = 2;

export const LACP_STATE = {
  activity: 0x01,
  /** Short: three seconds, with a frame in each. */
  timeout: 0x02,
  aggregation: 0x04,
  synchronization: 0x08,
  collecting: 0x10,
  distributing: 0x20,
  defaulted: 0x40,
  expired: 0x80,
} as const;

/** One end of a link. */
export interface LacpEnd {
  readonly systemPriority: number;
  readonly system: number;
  readonly key: number;
  readonly portPriority: number;
  readonly port: number;
  /** Bits of `LACP_STATE`. */
  readonly state: number;
}

export interface Lacpdu {
  readonly actor: LacpEnd;
  readonly partner: LacpEnd;
}

export const LACPDU_BYTES = 110;
const ACTOR_AT = 2;
const PARTNER_AT = 22;
const COLLECTOR_AT = 42;
const END_BYTES = 20;
const COLLECTOR_BYTES = 16;
const VERSION = 1;
const MARKER_INFORMATION = 1;
const MARKER_RESPONSE = 2;

/** @param source the address of the port that sends. @returns a frame of 124 bytes. */
export function encodeLacp({ actor, partner }: Lacpdu, source: number): Uint8Array {
  const frame = new Uint8Array(ETHERNET_HEADER_BYTES + LACPDU_BYTES);
  writeEthernetHeader(frame, SLOW_PROTOCOLS_MAC, source, ETHERTYPE_SLOW);
  frame.set([SUBTYPE_LACP, VERSION], ETHERNET_HEADER_BYTES);
  writeEnd(frame, ETHERNET_HEADER_BYTES + ACTOR_AT, 1, actor);
  writeEnd(frame, ETHERNET_HEADER_BYTES + PARTNER_AT, 2, partner);
  frame.set([3, COLLECTOR_BYTES], ETHERNET_HEADER_BYTES + COLLECTOR_AT);
  return frame;
}

function writeEnd(frame: Uint8Array, at: number, type: number, end: LacpEnd): void {
  frame.set([type, END_BYTES], at);
  writeU16(frame, at + 2, end.systemPriority);
  writeMac(frame, at + 4, end.system);
  writeU16(frame, at + 10, end.key);
  writeU16(frame, at + 12, end.portPriority);
  writeU16(frame, at + 14, end.port);
  frame[at + 16] = end.state;
}

/**
 * @param at the offset of the subtype.
 * @returns undefined if it is no LACPDU or is too short. Versions above 1 have the same fields (6.4.2.4.1).
 */
export function decodeLacp(bytes: Uint8Array, at: number): Lacpdu | undefined {
  if (at + LACPDU_BYTES > bytes.length || bytes[at] !== SUBTYPE_LACP || bytes[at + 1] === 0) return undefined;
  return { actor: readEnd(bytes, at + ACTOR_AT), partner: readEnd(bytes, at + PARTNER_AT) };
}

const readEnd = (bytes: Uint8Array, at: number): LacpEnd => ({
  systemPriority: readU16(bytes, at + 2),
  system: readMac(bytes, at + 4),
  key: readU16(bytes, at + 10),
  portPriority: readU16(bytes, at + 12),
  port: readU16(bytes, at + 14),
  state: bytes[at + 16]!,
});

/** Returns the answer to a marker (6.5.4.2); undefined if the frame is none. @param source the address of the port that answers. */
export function markerResponse(frame: Uint8Array, source: number): Uint8Array | undefined {
  const at = ETHERNET_HEADER_BYTES;
  if (
    frame.length < at + LACPDU_BYTES ||
    frame[at] !== SUBTYPE_MARKER ||
    frame[at + 2] !== MARKER_INFORMATION
  )
    return undefined;
  const response = frame.slice();
  writeEthernetHeader(response, SLOW_PROTOCOLS_MAC, source, ETHERTYPE_SLOW);
  response[at + 2] = MARKER_RESPONSE;
  return response;
}

/** The names of a state's bits, the least significant first. */
export const lacpStateNames = (state: number): string[] =>
  Object.entries(LACP_STATE).flatMap(([name, bit]) => (state & bit ? [name] : []));

const endRows = (name: string, at: number): readonly Row[] => [
  [`${name} TLV`, at, 1, dec8],
  [`${name} length`, at + 1, 1, dec8],
  [`${name} system priority`, at + 2, 2, dec16],
  [`${name} system`, at + 4, 6, mac],
  [`${name} key`, at + 10, 2, dec16],
  [`${name} port priority`, at + 12, 2, dec16],
  [`${name} port`, at + 14, 2, dec16],
  [`${name} state`, at + 16, 1, (bytes, offset) => lacpStateNames(bytes[offset]!).join(", ") || "none"],
];
const MARKER_TYPES: Names = { 1: "Marker", 2: "Marker response" };
const HEADER: readonly Row[] = [
  ["Subtype", 0, 1, dec8, { 1: "LACP", 2: "marker" }],
  ["Version", 1, 1, dec8],
];
const MARKER: readonly Row[] = [
  ["Marker type", 2, 1, dec8, MARKER_TYPES],
  ["Marker length", 3, 1, dec8],
  ["Requester port", 4, 2, dec16],
  ["Requester system", 6, 6, mac],
  ["Transaction", 12, 4, hex32],
];

/** LACP and its markers. */
export const LACP: Protocol = {
  name: "LACP",
  length: () => LACPDU_BYTES,
  check: (place) =>
    lacks(place, LACPDU_BYTES, "LACP") ??
    (isMarker(place) || place.bytes[place.at + 1] !== 0
      ? place.at + LACPDU_BYTES
      : { text: "the version is 0" }),
  layout: (place) =>
    isMarker(place)
      ? [...HEADER, ...MARKER]
      : [
          ...HEADER,
          ...endRows("Actor", ACTOR_AT),
          ...endRows("Partner", PARTNER_AT),
          ["Collector TLV", COLLECTOR_AT, 1, dec8],
          ["Collector length", COLLECTOR_AT + 1, 1, dec8],
          ["Collector max delay", COLLECTOR_AT + 2, 2, dec16],
        ],
  line: (place) => {
    const { bytes, at } = place;
    if (isMarker(place)) return MARKER_TYPES[bytes[at + 2]!] ?? "Marker of an unknown kind";
    return `Actor ${describe(readEnd(bytes, at + ACTOR_AT))}, partner ${describe(readEnd(bytes, at + PARTNER_AT))}`;
  },
};

const isMarker = ({ bytes, at }: Place): boolean => bytes[at] === SUBTYPE_MARKER;

/** The bits of a state, the most significant first, as tshark shows them: distributing is D, an absent bit a star. */
const LETTERS = "EFDCSGSA";

const describe = ({ system, key, port, state }: LacpEnd): string =>
  `${formatMac(system)} key=${key} port=${port} ${lettersOf(state)}`;

const lettersOf = (state: number): string =>
  Array.from(LETTERS, (letter, index) => (state & (0x80 >> index) ? letter : "*")).join("");

/** The protocols of the EtherType, by their subtype. */
export const SLOW_PROTOCOLS: Protocol = {
  name: "Slow Protocols",
  length: () => 1,
  layout: [["Subtype", 0, 1, dec8]],
  line: ({ at, end }) => bytesText(Math.max(0, end - at)),
  next: ({ bytes, at, end }) =>
    at < end && (bytes[at] === SUBTYPE_LACP || bytes[at] === SUBTYPE_MARKER) ? { to: LACP, at } : undefined,
};
