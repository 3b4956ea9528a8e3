/**
 * RIP version 2 (RFC 2453, section 4): the payload of a UDP datagram of port 520.
 *
 *     command (1)  version (1)  zero (2)
 *     then up to 25 entries of 20 bytes:
 *     family (2)  route tag (2)  network (4)  mask (4)  next hop (4)  metric (4)
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { formatIpv4, prefixLengthOf } from "./ipv4-address.ts";
import { bytesText, type Field, lacks, type Place, type Protocol, type Row } from "./protocol.ts";
import { dec8, dec16, dec32, hexOf, ipv4, printable, rowsAt } from "./show.ts";

export const RIP_PORT = 520;
/** 224.0.0.9 (RFC 2453, section 4.5). */
export const RIP_GROUP = 0xe000_0009;
export const RIP_VERSION = 2;
export const RIP_REQUEST = 1;
export const RIP_RESPONSE = 2;
/** Section 3.6: a network with this metric cannot be reached. */
export const RIP_INFINITY = 16;
/** Section 3.6: a larger table takes several messages. */
export const RIP_MAX_ENTRIES = 25;

export const RIP_FAMILY_IPV4 = 2;
/** With infinity as its metric, the only entry of a request for the whole table (section 3.9.1). */
export const RIP_FAMILY_NONE = 0;
/** The first entry is a password or a digest (section 4.1). */
export const RIP_FAMILY_AUTHENTICATION = 0xffff;

const AUTHENTICATION_DIGEST = 3;

export const RIP_HEADER_BYTES = 4;
export const RIP_ENTRY_BYTES = 20;

export interface RipEntry {
  readonly family: number;
  readonly tag: number;
  readonly network: number;
  readonly mask: number;
  /** 0: the sender. */
  readonly nextHop: number;
  readonly metric: number;
}

export interface Rip {
  readonly command: number;
  readonly version: number;
  readonly entries: readonly RipEntry[];
}

/** Where the entries end: a digest, if there is one, follows them (RFC 2082, section 3.2). */
export function ripEntriesEnd(data: Uint8Array): number {
  const hasDigest =
    data.length >= RIP_HEADER_BYTES + RIP_ENTRY_BYTES &&
    readU16(data, RIP_HEADER_BYTES) === RIP_FAMILY_AUTHENTICATION &&
    readU16(data, RIP_HEADER_BYTES + 2) === AUTHENTICATION_DIGEST;
  return hasDigest ? Math.min(data.length, readU16(data, RIP_HEADER_BYTES + 4)) : data.length;
}

/** Returns null if the data are not a header with whole entries, 25 at most. */
export function decodeRip(data: Uint8Array): Rip | null {
  const entryBytes = data.length - RIP_HEADER_BYTES;
  if (entryBytes < 0 || entryBytes % RIP_ENTRY_BYTES !== 0) return null;
  const count = entryBytes / RIP_ENTRY_BYTES;
  if (count > RIP_MAX_ENTRIES) return null;
  const entries: RipEntry[] = [];
  for (let index = 0; index < count; index++)
    entries.push(decodeEntry(data, RIP_HEADER_BYTES + index * RIP_ENTRY_BYTES));
  return { command: data[0] as number, version: data[1] as number, entries };
}

const decodeEntry = (data: Uint8Array, at: number): RipEntry => ({
  family: readU16(data, at),
  tag: readU16(data, at + 2),
  network: readU32(data, at + 4),
  mask: readU32(data, at + 8),
  nextHop: readU32(data, at + 12),
  metric: readU32(data, at + 16),
});

/** @param entries 25 at most. */
export function encodeRip({ command, version, entries }: Rip): Uint8Array {
  const data = new Uint8Array(RIP_HEADER_BYTES + entries.length * RIP_ENTRY_BYTES);
  data.set([command, version, 0, 0]);
  for (const [index, entry] of entries.entries()) {
    const at = RIP_HEADER_BYTES + index * RIP_ENTRY_BYTES;
    writeU16(data, at, entry.family);
    writeU16(data, at + 2, entry.tag);
    writeU32(data, at + 4, entry.network);
    writeU32(data, at + 8, entry.mask);
    writeU32(data, at + 12, entry.nextHop);
    writeU32(data, at + 16, entry.metric);
  }
  return data;
}

const ENTRY: readonly Row[] = [
  ["Address family", 0, 2, dec16, { 0: "none", 2: "IPv4" }],
  ["Route tag", 2, 2, dec16],
  ["Network", 4, 4, ipv4],
  ["Mask", 8, 4, ipv4],
  ["Next hop", 12, 4, ipv4],
  ["Metric", 16, 4, dec32],
];
const DIGEST_ENTRY: readonly Row[] = [
  ["Address family", 0, 2, () => "65535 (authentication)"],
  ["Authentication type", 2, 2, dec16, { 3: "digest" }],
  ["Digest offset", 4, 2, dec16],
  ["Key", 6, 1, dec8],
  ["Digest length", 7, 1, dec8],
  ["Sequence number", 8, 4, dec32],
];
const PASSWORD_ENTRY: readonly Row[] = [
  ["Address family", 0, 2, () => "65535 (authentication)"],
  ["Authentication type", 2, 2, dec16, { 2: "password" }],
  ["Password", 4, 16, (bytes, at) => printable(withoutZeros(bytes.subarray(at, at + 16)))],
];

const withoutZeros = (bytes: Uint8Array): Uint8Array => bytes.filter((byte) => byte !== 0);

const rowsOf = (bytes: Uint8Array, at: number): readonly Row[] => {
  if (readU16(bytes, at) !== RIP_FAMILY_AUTHENTICATION) return ENTRY;
  return readU16(bytes, at + 2) === AUTHENTICATION_DIGEST ? DIGEST_ENTRY : PASSWORD_ENTRY;
};

const decodeAt = ({ bytes, at, end }: Place): Rip | null => {
  const data = bytes.subarray(at, end);
  return decodeRip(data.subarray(0, ripEntriesEnd(data)));
};

export const RIP: Protocol = {
  name: "RIP",
  isGuess: true,
  length: ({ at, end }) => end - at,
  check: (place) =>
    lacks(place, RIP_HEADER_BYTES, "RIP header") ??
    (decodeAt(place) === null
      ? { text: `RIP of ${bytesText(place.end - place.at)}: not a header and 25 entries of 20 bytes at most` }
      : undefined),
  layout: [
    ["Command", 0, 1, dec8, { 1: "request", 2: "response" }],
    ["Version", 1, 1, dec8],
  ],
  list: (place) => {
    const { bytes, at, end } = place;
    const entriesEnd = at + ripEntriesEnd(bytes.subarray(at, end));
    const fields: Field[] = [];
    for (let entry = at + RIP_HEADER_BYTES; entry < entriesEnd; entry += RIP_ENTRY_BYTES)
      fields.push(...rowsAt(place, entry, rowsOf(bytes, entry)));
    return entriesEnd + 4 < end
      ? [
          ...fields,
          ...rowsAt(place, entriesEnd, [
            ["Digest", 4, end - entriesEnd - 4, (data, start) => hexOf(data.subarray(start, end))],
          ]),
        ]
      : fields;
  },
  line: (place) => {
    const { command, version, entries } = decodeAt(place)!;
    const name =
      command === RIP_REQUEST ? "Request" : command === RIP_RESPONSE ? "Response" : `Command ${command}`;
    return `${name}${version === RIP_VERSION ? "" : ` version ${version}`}${detailsOf(command, entries)}`;
  },
};

const SHOWN_ROUTES = 3;

function detailsOf(command: number, entries: readonly RipEntry[]): string {
  const [first, ...others] = entries;
  if (first === undefined) return " without routes";
  const isWhole = first.family === RIP_FAMILY_NONE && first.metric === RIP_INFINITY && others.length === 0;
  if (command === RIP_REQUEST && isWhole) return " for the whole table";
  const shown = entries.slice(0, SHOWN_ROUTES).map(describeEntry).join(", ");
  const more = entries.length - SHOWN_ROUTES;
  return ` ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

function describeEntry({ family, network, mask, nextHop, metric }: RipEntry): string {
  if (family === RIP_FAMILY_AUTHENTICATION) return "authentication";
  if (family !== RIP_FAMILY_IPV4) return `family ${family}`;
  const length = prefixLengthOf(mask);
  const prefix = `${formatIpv4(network)}${length === null ? ` mask ${formatIpv4(mask)}` : `/${length}`}`;
  return `${prefix}${nextHop === 0 ? "" : ` via ${formatIpv4(nextHop)}`} metric=${metric}`;
}
