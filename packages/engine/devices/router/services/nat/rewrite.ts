/**
 * Rewrites addresses and ports of IPv4 packets in place. Checksums are updated by what has changed (RFC 1624, equation 3), so that a
 * packet that was damaged before stays damaged.
 */
import { readU16, writeU16, writeU32 } from "../../../../base/bytes.ts";
import { foldChecksum, sumWords } from "../../../../base/checksum.ts";
import { PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../../wire/ipv4.ts";
import type { Tuple } from "../firewall/tuple.ts";

/** Where a packet is in a frame: on its own, or quoted by an ICMP error. */
export interface Place {
  readonly at: number;
  /** The header of the upper layer. */
  readonly upperAt: number;
  /** The end of the packet, or of what is quoted of it. */
  readonly end: number;
  readonly protocol: number;
}

const HEADER_CHECKSUM = 10;
const SOURCE = 12;
const TARGET = 16;
const ICMP_CHECKSUM = 2;
const ICMP_ID = 4;
const CHECKSUMS: Readonly<Record<number, number>> = {
  [PROTOCOL_TCP]: 16,
  [PROTOCOL_UDP]: 6,
  [PROTOCOL_ICMP]: ICMP_CHECKSUM,
};

/** The places of an end's address and port in a packet; ICMP has one id for both ends. */
interface End {
  readonly addressAt: number;
  readonly portAt: number;
}
const SOURCE_END: End = { addressAt: SOURCE, portAt: 0 };
const TARGET_END: End = { addressAt: TARGET, portAt: 2 };

/** Replaces the source of a packet. */
export const rewriteSource = (
  frame: Uint8Array,
  place: Place,
  { source, sourcePort }: Tuple<number>,
  address: number,
  port: number,
): void => rewrite(frame, place, SOURCE_END, source, sourcePort, address, port);

/** Replaces the target of a packet. */
export const rewriteTarget = (
  frame: Uint8Array,
  place: Place,
  { target, targetPort }: Tuple<number>,
  address: number,
  port: number,
): void => rewrite(frame, place, TARGET_END, target, targetPort, address, port);

function rewrite(
  frame: Uint8Array,
  place: Place,
  { addressAt, portAt }: End,
  addressBefore: number,
  portBefore: number,
  address: number,
  port: number,
): void {
  const at = place.upperAt + (place.protocol === PROTOCOL_ICMP ? ICMP_ID : portAt);
  const addresses = replaceAddress(frame, place, addressAt, addressBefore, address);
  const ports = replacePort(frame, at, portBefore, port);
  adjustUpper(frame, place, addresses, ports);
}

/** Replaces an address only, where no checksum but the header's covers it. */
export function rewriteOuter(
  frame: Uint8Array,
  at: number,
  isSource: boolean,
  before: number,
  address: number,
): void {
  const place = { at, upperAt: at, end: at, protocol: 0 };
  replaceAddress(frame, place, isSource ? SOURCE : TARGET, before, address);
}

/** Runs a change of the packet that an ICMP error quotes, and updates the error's checksum. */
export function changeQuote(
  frame: Uint8Array,
  icmpAt: number,
  quoteAt: number,
  end: number,
  change: () => void,
): void {
  const before = sumWords(frame, quoteAt, end);
  change();
  const after = sumWords(frame, quoteAt, end);
  if (before !== after) adjust(frame, icmpAt + ICMP_CHECKSUM, (~fold(before) & 0xffff) + fold(after));
}

/** @returns what the change adds to a sum that covers the address. */
function replaceAddress(
  frame: Uint8Array,
  { at }: Place,
  offset: number,
  before: number,
  after: number,
): number {
  if (before === after) return 0;
  const added = difference(before >>> 16, after >>> 16) + difference(before & 0xffff, after & 0xffff);
  writeU32(frame, at + offset, after);
  adjust(frame, at + HEADER_CHECKSUM, added);
  return added;
}

function replacePort(frame: Uint8Array, at: number, before: number, after: number): number {
  if (before === after) return 0;
  writeU16(frame, at, after);
  return difference(before, after);
}

/** The pseudo header of TCP and UDP has the addresses; ICMP has none. */
function adjustUpper(
  frame: Uint8Array,
  { upperAt, end, protocol }: Place,
  addresses: number,
  ports: number,
): void {
  const offset = CHECKSUMS[protocol];
  const added = protocol === PROTOCOL_ICMP ? ports : addresses + ports;
  if (offset === undefined || added === 0 || upperAt + offset + 2 > end) return;
  const at = upperAt + offset;
  // RFC 768: zero stands for no checksum, and a computed zero is sent as all ones.
  if (protocol === PROTOCOL_UDP && readU16(frame, at) === 0) return;
  adjust(frame, at, added);
  if (protocol === PROTOCOL_UDP && readU16(frame, at) === 0) writeU16(frame, at, 0xffff);
}

const difference = (before: number, after: number): number =>
  before === after ? 0 : (~before & 0xffff) + after;

function adjust(frame: Uint8Array, at: number, added: number): void {
  if (added !== 0) writeU16(frame, at, foldChecksum((~readU16(frame, at) & 0xffff) + added));
}

const fold = (sum: number): number => ~foldChecksum(sum) & 0xffff;
