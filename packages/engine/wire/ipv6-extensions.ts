/** The extension headers of IPv6 (RFC 8200, section 4) as tables. */
import { readU16, readU32 } from "../base/bytes.ts";
import { fragmentText } from "./ipv4.ts";
import { afterIpv6, noPayload } from "./ipv6.ts";
import { FRAGMENT_HEADER_BYTES, isMoreFragments, offsetOfFragment } from "./ipv6-fragment.ts";
import type { Next, Place, Protocol, Row } from "./protocol.ts";
import { dec8, dec16, dec32, type Head, hex, hex32, optionsAt } from "./show.ts";

const NEXT_HEADER: Row = ["Next header", 0, 1, dec8, "ip6"];
const LEAST_BYTES = 8;

const extension = (title: string, lengthOf: (place: Place) => number): Protocol => ({
  name: "IPv6",
  title,
  isPart: true,
  least: [LEAST_BYTES, "IPv6 extension header"],
  layout: [NEXT_HEADER, ["Header length", 1, 1, (bytes, at) => `${8 * bytes[at]! + 8} bytes`]],
  length: lengthOf,
  line: (place) => noPayload(place.bytes[place.at]!),
  next: (place) => after(place, lengthOf(place)),
});

const after = ({ bytes, at, ip }: Place, length: number): Next | undefined =>
  ip && afterIpv6(bytes[at]!, at + length, { ...ip, payloadBytes: ip.payloadBytes - length });

const inEights = ({ bytes, at }: Place): number => 8 * (bytes[at + 1] ?? 0) + LEAST_BYTES;

const headOfOption = (bytes: Uint8Array, at: number): Head =>
  bytes[at] === 0 ? [0, 1, 1] : [bytes[at]!, 2 + (bytes[at + 1] ?? 0), 2];

const withOptions = (title: string): Protocol => ({
  ...extension(title, inEights),
  list: (place) =>
    optionsAt(
      place,
      place.at + 2,
      Math.min(place.end, place.at + inEights(place)),
      { 0: ["Padding"], 1: ["Padding"], 5: ["Router alert", 2, dec16, { 0: "MLD" }] },
      headOfOption,
    ),
});

export const HOP_BY_HOP_OPTIONS = withOptions("IPv6 hop-by-hop options");
export const DESTINATION_OPTIONS = withOptions("IPv6 destination options");
export const MOBILITY = extension("IPv6 mobility", inEights);

export const ROUTING: Protocol = {
  ...extension("IPv6 routing", inEights),
  layout: [
    NEXT_HEADER,
    ["Header length", 1, 1, (bytes, at) => `${8 * bytes[at]! + 8} bytes`],
    ["Routing type", 2, 1, dec8],
    ["Segments left", 3, 1, dec8],
  ],
};

export const AUTHENTICATION: Protocol = {
  ...extension("Authentication header", ({ bytes, at }) => 4 * (bytes[at + 1] ?? 0) + 8),
  layout: [
    NEXT_HEADER,
    ["Header length", 1, 1, (bytes, at) => `${4 * bytes[at]! + 8} bytes`],
    ["Security parameters", 4, 4, hex32],
    ["Sequence number", 8, 4, dec32],
  ],
};

export const IPV6_FRAGMENT: Protocol = {
  ...extension("IPv6 fragment", () => FRAGMENT_HEADER_BYTES),
  layout: [
    NEXT_HEADER,
    ["Offset", 2, 2, (bytes, at) => String(offsetOfFragment(readU16(bytes, at)))],
    ["More fragments", 2, 2, (bytes, at) => (isMoreFragments(readU16(bytes, at)) ? "yes" : "no")],
    ["Identification", 4, 4, hex32],
  ],
  line: ({ bytes, at, ip }, seen) => {
    const place = readU16(bytes, at + 2);
    const [offset, more] = [offsetOfFragment(place), isMoreFragments(place)];
    if (offset === 0 && !more) return noPayload(bytes[at]!);
    const payloadBytes = (ip?.payloadBytes ?? 0) - FRAGMENT_HEADER_BYTES;
    const id = hex(readU32(bytes, at + 4), 8);
    return fragmentText(seen, { protocol: bytes[at]!, id, offset, payloadBytes, more });
  },
  next: (place) => {
    const word = readU16(place.bytes, place.at + 2);
    const next = offsetOfFragment(word) === 0 ? after(place, FRAGMENT_HEADER_BYTES) : undefined;
    return next && { ...next, isInside: isMoreFragments(word), isPartial: isMoreFragments(word) };
  },
};
