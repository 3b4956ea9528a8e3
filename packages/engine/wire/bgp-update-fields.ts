/** The fields of an UPDATE message: prefixes, and path attributes down to each AS number and community. */
import { readU16, readU32 } from "../base/bytes.ts";
import { type BgpFamily, SAFI_UNICAST } from "./bgp.ts";
import { readAsPath } from "./bgp-as-path.ts";
import { ATTRIBUTE, ATTRIBUTE_FLAG } from "./bgp-attributes.ts";
import { AFIS, COMMUNITY_NAMES, EXTENDED_KINDS, ORIGINS, SAFIS, SEGMENTS } from "./bgp-names.ts";
import { FAMILY_BITS, prefixAt, prefixBytes } from "./bgp-nlri.ts";
import { familyOf } from "./bgp-reach.ts";
import { attributeName } from "./bgp-read-attributes.ts";
import { attributeAt, placesOf } from "./bgp-read-update.ts";
import { prefixText } from "./bgp-text.ts";
import { bytesText, type Field, type Place, type Row } from "./protocol.ts";
import { dec8, dec16, dec32, flagNames, hex, hexOf, ipv4, ipv6, rowsAt } from "./show.ts";

const attributeFlags = (bytes: Uint8Array, at: number): string =>
  flagNames(bytes[at]!, [
    [ATTRIBUTE_FLAG.optional, "optional"],
    [ATTRIBUTE_FLAG.transitive, "transitive"],
    [ATTRIBUTE_FLAG.partial, "partial"],
    [ATTRIBUTE_FLAG.extended, "extended length"],
  ]);
const bytesIn2 = (bytes: Uint8Array, at: number): string => bytesText(readU16(bytes, at));

export const communityText = (community: number): string => `${community >>> 16}:${community & 0xffff}`;
const community = (bytes: Uint8Array, at: number): string => communityText(readU32(bytes, at));
const large = (bytes: Uint8Array, at: number): string =>
  [0, 4, 8].map((offset) => readU32(bytes, at + offset)).join(":");

/** RFC 4360, section 3; RFC 5668: the administrator is an AS of 2 bytes, an IPv4 address, or an AS of 4 bytes. */
function extended(bytes: Uint8Array, at: number): string {
  const kind = EXTENDED_KINDS[bytes[at + 1]!];
  const form = bytes[at]! & 0x3f;
  if (kind === undefined || form > 2) return hexOf(bytes.subarray(at, at + 8));
  if (form === 0) return `${kind} ${readU16(bytes, at + 2)}:${readU32(bytes, at + 4)}`;
  const administrator = form === 1 ? ipv4(bytes, at + 2) : dec32(bytes, at + 2);
  return `${kind} ${administrator}:${readU16(bytes, at + 6)}`;
}

const AFI_SAFI: readonly Row[] = [
  ["AFI", 0, 2, dec16, AFIS],
  ["SAFI", 2, 1, dec8, SAFIS],
];

/** Rows of a value that repeats, by the bytes of each. */
const LISTS: Readonly<Record<number, readonly [bytes: number, rows: readonly Row[]]>> = {
  [ATTRIBUTE.origin]: [1, [["Origin", 0, 1, dec8, ORIGINS]]],
  [ATTRIBUTE.nextHop]: [4, [["Next hop", 0, 4, ipv4]]],
  [ATTRIBUTE.med]: [4, [["Metric", 0, 4, dec32]]],
  [ATTRIBUTE.localPreference]: [4, [["Local preference", 0, 4, dec32]]],
  [ATTRIBUTE.communities]: [
    4,
    [
      ["Community", 0, 4, community, COMMUNITY_NAMES],
      ["Community AS", 0, 2, dec16],
      ["Community value", 2, 2, dec16],
    ],
  ],
  [ATTRIBUTE.originatorId]: [4, [["Originator", 0, 4, ipv4]]],
  [ATTRIBUTE.clusterList]: [4, [["Cluster", 0, 4, ipv4]]],
  [ATTRIBUTE.extendedCommunities]: [
    8,
    [
      ["Extended community", 0, 8, extended],
      ["Community type", 0, 1, (bytes, at) => hex(bytes[at]!, 2)],
      ["Community subtype", 1, 1, (bytes, at) => hex(bytes[at]!, 2)],
      ["Administrator", 2, 2, dec16],
      ["Number", 4, 4, dec32],
    ],
  ],
  [ATTRIBUTE.largeCommunities]: [
    12,
    [
      ["Large community", 0, 12, large],
      ["Administrator", 0, 4, dec32],
      ["First value", 4, 4, dec32],
      ["Second value", 8, 4, dec32],
    ],
  ],
};

/** @param place of the body. */
export function updateFields(place: Place): Field[] {
  const { bytes, at, end } = place;
  const withdrawn = rowsAt(place, at, [["Withdrawn prefixes", 0, 2, bytesIn2]]);
  const places = placesOf(bytes.subarray(at, end));
  if (places === undefined) return withdrawn;
  const [withdrawnEnd, start, attributesEnd] = [places.withdrawnEnd, places.start, places.end].map(
    (offset) => at + offset,
  ) as [number, number, number];
  return [
    ...withdrawn,
    ...prefixFields({ ...place, at: at + 2, end: withdrawnEnd }, "ipv4", "Withdrawn"),
    ...rowsAt(place, withdrawnEnd, [["Path attributes", 0, 2, bytesIn2]]),
    ...attributeFields({ ...place, at: start, end: attributesEnd }),
    ...prefixFields({ ...place, at: attributesEnd }, "ipv4", "Prefix"),
  ];
}

/** A packet does not state whether its session has ADD-PATH: prefixes are read without path ids. */
function prefixFields(place: Place, family: BgpFamily, label: string): Field[] {
  const { bytes, end } = place;
  const fields: Field[] = [];
  for (let at = place.at; at < end; ) {
    const length = bytes[at]!;
    const count = prefixBytes(length);
    if (length > FAMILY_BITS[family] || at + 1 + count > end) break;
    const value = prefixText(prefixAt(bytes, at + 1, length, family));
    fields.push({ label, value, at, length: 1 + count });
    fields.push({ label: "Prefix length", value: String(length), at, length: 1 });
    if (count > 0) fields.push({ label: "Network", value: value.split("/")[0]!, at: at + 1, length: count });
    at += 1 + count;
  }
  return fields;
}

function attributeFields(place: Place): Field[] {
  const { bytes, end } = place;
  const list = bytes.subarray(0, end);
  const fields: Field[] = [];
  for (let at = place.at; at < end; ) {
    const raw = attributeAt(list, at);
    if (raw === undefined) break;
    const headBytes = raw.bytes.length - raw.value.length;
    const length = raw.bytes.length;
    fields.push({ label: "Attribute", value: attributeName(raw.type), at, length });
    fields.push(
      ...rowsAt(place, at, [
        ["Attribute flags", 0, 1, attributeFlags],
        ["Attribute type", 1, 1, dec8],
        ["Attribute length", 2, headBytes - 2, headBytes === 4 ? dec16 : dec8],
      ]),
      ...valueFields({ ...place, at: at + headBytes, end: at + length }, raw.type),
    );
    at += length;
  }
  return fields;
}

function valueFields(place: Place, type: number): Field[] {
  const { bytes, at, end } = place;
  switch (type) {
    case ATTRIBUTE.asPath:
      return segmentFields(place, systemBytesOf(bytes.subarray(at, end)));
    case ATTRIBUTE.as4Path:
      return segmentFields(place, 4);
    case ATTRIBUTE.aggregator:
    case ATTRIBUTE.as4Aggregator: {
      const systemBytes = end - at - 4;
      return systemBytes === 2 || systemBytes === 4
        ? rowsAt(place, at, [
            ["Aggregator AS", 0, systemBytes, systemBytes === 4 ? dec32 : dec16],
            ["Aggregator", systemBytes, 4, ipv4],
          ])
        : [];
    }
    case ATTRIBUTE.reach:
      return reachFields(place);
    case ATTRIBUTE.unreach:
      return unreachFields(place);
  }
  const list = LISTS[type];
  if (list === undefined)
    return end > at ? [{ label: "Value", value: hexOf(bytes.subarray(at, end)), at, length: end - at }] : [];
  const [size, rows] = list;
  const fields: Field[] = [];
  for (let each = at; each + size <= end; each += size) fields.push(...rowsAt(place, each, rows));
  return fields;
}

/** A packet does not state whether its AS numbers have 2 or 4 bytes: 4, if the path is whole with them. */
export const systemBytesOf = (path: Uint8Array): 2 | 4 => (readAsPath(path, 4) === null ? 2 : 4);

function segmentFields(place: Place, systemBytes: 2 | 4): Field[] {
  const { bytes, end } = place;
  const fields: Field[] = [];
  for (let at = place.at; at + 2 <= end; ) {
    const count = bytes[at + 1]!;
    const length = 2 + count * systemBytes;
    if (at + length > end) break;
    fields.push({ label: "Segment", value: SEGMENTS[bytes[at]!] ?? `type ${bytes[at]}`, at, length });
    fields.push(
      ...rowsAt(place, at, [
        ["Segment type", 0, 1, dec8, SEGMENTS],
        ["AS numbers", 1, 1, dec8],
        ...Array.from(
          { length: count },
          (_, index): Row => ["AS", 2 + index * systemBytes, systemBytes, systemBytes === 4 ? dec32 : dec16],
        ),
      ]),
    );
    at += length;
  }
  return fields;
}

function reachFields(place: Place): Field[] {
  const { bytes, at, end } = place;
  const fields = rowsAt(place, at, [...AFI_SAFI, ["Next hop length", 3, 1, dec8]]);
  if (at + 4 > end) return fields;
  const hopBytes = bytes[at + 3]!;
  const start = at + 4 + hopBytes + 1;
  if (start > end) return fields;
  return [
    ...fields,
    { label: "Next hop", value: hopText(bytes, at + 4, hopBytes), at: at + 4, length: hopBytes },
    ...rowsAt(place, start - 1, [["Reserved", 0, 1, dec8]]),
    ...familyPrefixes({ ...place, at: start }, at, "Prefix"),
  ];
}

function hopText(bytes: Uint8Array, at: number, length: number): string {
  if (length === 4) return ipv4(bytes, at);
  if (length === 16) return ipv6(bytes, at);
  if (length === 32) return `${ipv6(bytes, at)} ${ipv6(bytes, at + 16)}`;
  return hexOf(bytes.subarray(at, at + length));
}

const unreachFields = (place: Place): Field[] => [
  ...rowsAt(place, place.at, AFI_SAFI),
  ...familyPrefixes({ ...place, at: place.at + 3 }, place.at, "Withdrawn"),
];

/** The prefixes of a family that the codec reads, or their bytes. @param codeAt where AFI and SAFI are. */
function familyPrefixes(place: Place, codeAt: number, label: string): Field[] {
  const { bytes, at, end } = place;
  if (at > end) return [];
  const family = familyOf({ afi: readU16(bytes, codeAt), safi: bytes[codeAt + 2] ?? SAFI_UNICAST });
  if (family !== undefined) return prefixFields(place, family, label);
  return end > at ? [{ label, value: hexOf(bytes.subarray(at, end)), at, length: end - at }] : [];
}
