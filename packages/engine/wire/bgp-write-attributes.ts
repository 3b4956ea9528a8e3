/** Writes path attributes in the order of their types. */
import { concatBytes, writeU16, writeU32 } from "../base/bytes.ts";
import { encodeAsPath, isConfederationSegment, isShort } from "./bgp-as-path.ts";
import {
  type Aggregator,
  AS_TRANS,
  ATTRIBUTE,
  ATTRIBUTE_FLAG,
  type PathAttributes,
} from "./bgp-attributes.ts";
import type { UpdateForm } from "./bgp-update.ts";

const WELL_KNOWN = ATTRIBUTE_FLAG.transitive;
const OPTIONAL = ATTRIBUTE_FLAG.optional;
const BOTH = OPTIONAL | WELL_KNOWN;

type Written = readonly [type: number, bytes: Uint8Array];

/** Returns flags, type and length of an attribute. */
export function attributeHead(flags: number, type: number, valueBytes: number): Uint8Array {
  return valueBytes > 255
    ? Uint8Array.of(flags | ATTRIBUTE_FLAG.extended, type, valueBytes >> 8, valueBytes)
    : Uint8Array.of(flags, type, valueBytes);
}

const attribute = (flags: number, type: number, value: Uint8Array): Written => [
  type,
  concatBytes(attributeHead(flags, type, value.length), value),
];

function words(all: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * all.length);
  for (const [index, word] of all.entries()) writeU32(bytes, 4 * index, word);
  return bytes;
}

const optionalWord = (flags: number, type: number, word: number | null): Written[] =>
  word === null ? [] : [attribute(flags, type, words([word]))];

const wordList = (flags: number, type: number, all: readonly number[]): Written[] =>
  all.length === 0 ? [] : [attribute(flags, type, words(all))];

function aggregatorBytes({ system, address }: Aggregator, systemBytes: 2 | 4): Uint8Array {
  const bytes = new Uint8Array(systemBytes + 4);
  if (systemBytes === 4) writeU32(bytes, 0, system);
  else writeU16(bytes, 0, isShort(system) ? system : AS_TRANS);
  writeU32(bytes, systemBytes, address);
  return bytes;
}

/** Whether AS numbers are lost in AS_PATH of 2 bytes (RFC 6793, section 4.2.2). */
const isLong = ({ asPath }: PathAttributes): boolean =>
  asPath.some((segment) => !segment.systems.every(isShort));

function pathAttributes(attributes: PathAttributes, hasAs4: boolean): Written[] {
  const { asPath, aggregator } = attributes;
  const bytes = hasAs4 ? 4 : 2;
  const written = [attribute(WELL_KNOWN, ATTRIBUTE.asPath, encodeAsPath(asPath, bytes))];
  if (aggregator !== null)
    written.push(attribute(BOTH, ATTRIBUTE.aggregator, aggregatorBytes(aggregator, bytes)));
  if (!hasAs4 && isLong(attributes)) {
    const path = asPath.filter((segment) => !isConfederationSegment(segment));
    if (path.length > 0) written.push(attribute(BOTH, ATTRIBUTE.as4Path, encodeAsPath(path, 4)));
  }
  if (!hasAs4 && aggregator !== null && !isShort(aggregator.system))
    written.push(attribute(BOTH, ATTRIBUTE.as4Aggregator, aggregatorBytes(aggregator, 4)));
  return written;
}

/** External sessions get no LOCAL_PREF and nothing of reflectors. @param nextHop of routes in the IPv4 fields, or null. */
export function encodeAttributes(
  attributes: PathAttributes,
  nextHop: number | null,
  { hasAs4, session }: UpdateForm,
): Uint8Array {
  const isExternal = session === "external";
  const written: Written[] = [
    attribute(WELL_KNOWN, ATTRIBUTE.origin, Uint8Array.of(attributes.origin)),
    ...pathAttributes(attributes, hasAs4),
    ...optionalWord(WELL_KNOWN, ATTRIBUTE.nextHop, nextHop),
    ...optionalWord(OPTIONAL, ATTRIBUTE.med, attributes.med),
    ...optionalWord(WELL_KNOWN, ATTRIBUTE.localPreference, isExternal ? null : attributes.localPreference),
    ...(attributes.isAtomicAggregate
      ? [attribute(WELL_KNOWN, ATTRIBUTE.atomicAggregate, new Uint8Array(0))]
      : []),
    ...wordList(BOTH, ATTRIBUTE.communities, attributes.communities),
    ...optionalWord(OPTIONAL, ATTRIBUTE.originatorId, isExternal ? null : attributes.originatorId),
    ...wordList(OPTIONAL, ATTRIBUTE.clusterList, isExternal ? [] : attributes.clusterList),
    ...wordList(BOTH, ATTRIBUTE.extendedCommunities, attributes.extendedCommunities.flat()),
    ...wordList(BOTH, ATTRIBUTE.largeCommunities, attributes.largeCommunities.flat()),
    ...attributes.unknown.map(({ flags, type, value }) =>
      attribute((flags & BOTH) | ATTRIBUTE_FLAG.partial, type, value),
    ),
  ];
  return concatBytes(...written.toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes));
}
