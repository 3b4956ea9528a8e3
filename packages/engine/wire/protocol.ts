/**
 * A protocol as a table: its name, the layout of its header, its line in a list of packets, and what follows it. `wire/protocols.ts` has them all;
 * `wire/summary` and `wire/details` walk them.
 */

/** A header in a packet. */
export interface Place {
  readonly bytes: Uint8Array;
  /** Offset of the header. */
  readonly at: number;
  /** Where the layer ends, by a length in the headers before it or with the bytes. */
  readonly end: number;
  /** Whether the capture cut the packet. */
  readonly isCut: boolean;
  /** Whether it is part of a quote or of a first fragment, which may end anywhere. */
  readonly isPartial?: boolean;
  /** The IP header before it. */
  readonly ip?: IpBefore | undefined;
}

export interface IpBefore {
  readonly isIpv6: boolean;
  /** Offset of the header. */
  readonly at: number;
  readonly ttl: number;
  /** The length of the payload that IP states; a cut packet has less. */
  readonly payloadBytes: number;
}

/** Why a packet is not decoded any further. */
export interface Fault {
  readonly text: string;
  /** Bytes are missing because the packet is cut; otherwise it is malformed. */
  readonly isCut?: boolean;
  /** The packet may be well-formed, but not what its port or its version makes of it. */
  readonly isOther?: boolean;
}

/** A field of a header. Two fields can share bytes. `names` are of its values, or the registry's table has them. */
export type Row = readonly [
  label: string,
  offset: number,
  length: number,
  show: (bytes: Uint8Array, at: number) => string,
  names?: Names | (() => Names) | TableName,
];

export type Names = Readonly<Record<number, string>>;

/** Bytes of a packet, and what they state. */
export interface Field {
  readonly label: string;
  readonly value: string;
  /** Offset in the packet, in bytes. */
  readonly at: number;
  readonly length: number;
}

/** The tables of numbers by which headers name what follows them. */
export type TableName = "ethertype" | "ip" | "ip6" | "port" | "tcp" | "llc" | "snap" | "ppp";

/** What follows a header. */
export interface Next {
  /** A protocol, or the first of the numbers that the table has. */
  readonly to: Protocol | readonly [table: TableName, ...numbers: number[]];
  readonly at: number;
  readonly ip?: IpBefore;
  /** What a summary says of a number that the table does not have. */
  readonly unknown?: string;
  /** A packet inside the packet, or part of one: the summary ends before it. */
  readonly isInside?: boolean;
  readonly isPartial?: boolean;
}

/** What a summary has of a packet so far. */
export interface Seen {
  protocol: string;
  source: string | null;
  target: string | null;
  sourceMac: string | null;
  targetMac: string | null;
  vlan: number | null;
  sourcePort: number | null;
  targetPort: number | null;
  info: string;
  nameOf(table: TableName, number: number): string | undefined;
}

export interface Protocol {
  /** In summaries. */
  readonly name: string;
  /** In details; by default, the name. */
  readonly title?: string;
  /** The bytes of the shortest header, and what a packet with fewer is said to lack. */
  readonly least?: readonly [bytes: number, what: string];
  /** Takes addresses, ports and VLAN from a header that has its least bytes. */
  readonly note?: (place: Place, seen: Seen) => void;
  /** Returns a fault, or where the layer ends. */
  readonly check?: (place: Place) => Fault | number | undefined;
  /** The bytes of this header; by default the least ones. */
  readonly length?: (place: Place) => number;
  readonly layout?: readonly Row[] | ((place: Place) => readonly Row[]);
  /** Fields behind the layout: options, records. */
  readonly list?: (place: Place) => Field[];
  /** The text of a summary; undefined leaves the text before it. */
  readonly line?: (place: Place, seen: Seen) => string | undefined;
  readonly next?: (place: Place) => Next | undefined;
  /** A summary has its size, and ends. */
  readonly isSized?: boolean;
  /** Only the port names it: a packet with a fault stays a datagram. */
  readonly isGuess?: boolean;
  /** A part of the header before it, which names the packet. */
  readonly isPart?: boolean;
}

export const bytesText = (count: number): string => (count === 1 ? "1 byte" : `${count} bytes`);

/** Whether the layer goes on behind the bytes that are present. */
export const isOpen = ({ bytes, end, isCut, isPartial }: Place): boolean =>
  isPartial === true || (isCut && end === bytes.length);

/** Returns a fault unless `count` bytes are present at `at`. */
export function lacks(place: Place, count: number, what: string, at = place.at): Fault | undefined {
  if (at + count <= place.end) return undefined;
  const present = Math.max(0, place.end - at);
  return { text: `${what} takes ${bytesText(count)}, ${present} are there`, isCut: isOpen(place) };
}

/** Returns where a layer of this length ends; a fault if bytes are missing from a packet that is not cut. */
export function endOf(place: Place, length: number, what: string, at = place.at): Fault | number {
  if (at + length <= place.end) return at + length;
  if (isOpen(place)) return place.end;
  return { text: `${what} claims ${bytesText(length)}, ${place.end - at} are there` };
}

/** A protocol whose header is not read. */
export const named = (name: string): Protocol => ({ name, isSized: true });
