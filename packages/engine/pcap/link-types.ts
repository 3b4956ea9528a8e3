/**
 * Data link types: their names, and their numbers in files
 * (LINKTYPE_ values, https://www.tcpdump.org/linktypes.html).
 */
import type { CaptureInterface } from "./decoder.ts";

export interface DataLinkType {
  readonly name: string;
  /** The number in files. */
  readonly linkType: number;
  /** Numbers that some programs write instead: the DLT_ values of their systems. */
  readonly aliases?: readonly number[];
}

/** The data link types that the HTTP interface offers for captures, in its order. */
export const DATA_LINK_TYPES = [
  { name: "DLT_ATM_RFC1483", linkType: 100, aliases: [11] },
  { name: "DLT_EN10MB", linkType: 1 },
  { name: "DLT_FRELAY", linkType: 107 },
  { name: "DLT_C_HDLC", linkType: 104 },
  { name: "DLT_PPP_SERIAL", linkType: 50 },
] as const satisfies readonly DataLinkType[];

/** Other link types in files that filters compile for. */
export const OTHER_LINK_TYPES = [
  { name: "DLT_NULL", linkType: 0 },
  { name: "DLT_PPP", linkType: 9 },
  { name: "DLT_RAW", linkType: 101, aliases: [12, 14] },
  { name: "DLT_LOOP", linkType: 108 },
  { name: "DLT_LINUX_SLL", linkType: 113 },
  { name: "DLT_PRISM_HEADER", linkType: 119 },
  { name: "DLT_IEEE802_11_RADIO", linkType: 127 },
  { name: "DLT_IEEE802_11_RADIO_AVS", linkType: 163 },
  { name: "DLT_PPI", linkType: 192 },
  { name: "DLT_IPV4", linkType: 228 },
  { name: "DLT_IPV6", linkType: 229 },
  { name: "DLT_NETANALYZER", linkType: 240 },
  { name: "DLT_NETANALYZER_TRANSPARENT", linkType: 241 },
  { name: "DLT_LINUX_SLL2", linkType: 276 },
] as const satisfies readonly DataLinkType[];

const KNOWN = [...DATA_LINK_TYPES, ...OTHER_LINK_TYPES];

/** A data link type of the HTTP interface. */
export type DataLinkTypeName = (typeof DATA_LINK_TYPES)[number]["name"];

export type KnownLinkTypeName = (typeof KNOWN)[number]["name"];

export const LINKTYPE_ETHERNET = 1;

const BY_NAME = new Map<string, DataLinkType>(KNOWN.map((entry) => [entry.name, entry]));
const NAME_BY_NUMBER = new Map<number, KnownLinkTypeName>(KNOWN.map((entry) => [entry.linkType, entry.name]));
const CANONICAL = new Map<number, number>(
  KNOWN.flatMap((entry) =>
    "aliases" in entry ? entry.aliases.map((alias) => [alias, entry.linkType] as const) : [],
  ),
);

/** Returns the number of a data link type in files. */
export function linkTypeOf(name: DataLinkTypeName): number {
  return (BY_NAME.get(name) as DataLinkType).linkType;
}

/** Returns the name for a number in a file, alias or not; undefined for a link type that no filter compiles for. */
export function dataLinkTypeName(linkType: number): KnownLinkTypeName | undefined {
  return NAME_BY_NUMBER.get(canonicalLinkType(linkType));
}

/**
 * Returns the link type to compile a filter for, given an interface. DLT_NULL begins with a number in the capturing
 * machine's byte order, which is that of the file; in big-endian order this is DLT_LOOP's header.
 */
export function filterLinkTypeOf({
  linkType,
  littleEndian,
}: CaptureInterface): KnownLinkTypeName | "unknown" {
  const name = dataLinkTypeName(linkType) ?? "unknown";
  return name === "DLT_NULL" && !littleEndian ? "DLT_LOOP" : name;
}

/** Maps an alias to the number written into files; returns other numbers unchanged. */
export function canonicalLinkType(linkType: number): number {
  return CANONICAL.get(linkType) ?? linkType;
}
