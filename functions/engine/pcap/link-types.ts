/**
 * Data link types: the interface's names, and the numbers that stand for them in files
 * (LINKTYPE_ values, https://www.tcpdump.org/linktypes.html).
 */

export interface DataLinkType {
  readonly name: string;
  /** The number written into files. */
  readonly linkType: number;
  /** The number some programs write instead: the DLT_ value of their system. */
  readonly alias?: number;
}

/** The data link types a capture can have, in the interface's order. */
export const DATA_LINK_TYPES = [
  { name: "DLT_ATM_RFC1483", linkType: 100, alias: 11 },
  { name: "DLT_EN10MB", linkType: 1 },
  { name: "DLT_FRELAY", linkType: 107 },
  { name: "DLT_C_HDLC", linkType: 104 },
  { name: "DLT_PPP_SERIAL", linkType: 50 },
] as const satisfies readonly DataLinkType[];

export type DataLinkTypeName = (typeof DATA_LINK_TYPES)[number]["name"];

export const LINKTYPE_ETHERNET = 1;

const BY_NAME = new Map<string, DataLinkType>(DATA_LINK_TYPES.map((entry) => [entry.name, entry]));
const NAME_BY_NUMBER = new Map<number, DataLinkTypeName>(
  DATA_LINK_TYPES.map((entry) => [entry.linkType, entry.name]),
);
const CANONICAL = new Map<number, number>(
  DATA_LINK_TYPES.flatMap((entry) => ("alias" in entry ? [[entry.alias, entry.linkType]] : [])),
);

/** The file number of a data link type. */
export function linkTypeOf(name: DataLinkTypeName): number {
  return (BY_NAME.get(name) as DataLinkType).linkType;
}

/** The interface's name of a file number, alias or not; undefined for a link type it does not have. */
export function dataLinkTypeName(linkType: number): DataLinkTypeName | undefined {
  return NAME_BY_NUMBER.get(canonicalLinkType(linkType));
}

/** One number per link type: an alias becomes the number written into files, all others stay. */
export function canonicalLinkType(linkType: number): number {
  return CANONICAL.get(linkType) ?? linkType;
}
