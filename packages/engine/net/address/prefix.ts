/** Addresses with prefix lengths, `10.0.1.1/24`: the addresses of ports, and the targets of routes. */
import { formatIpv4, maskOf, parseIpv4 } from "../../wire/ipv4-address.ts";
import { formatIpv6, parseIpv6 } from "../../wire/ipv6-address.ts";

export interface Prefix<A> {
  readonly address: A;
  readonly prefixLength: number;
}

export type Prefix4 = Prefix<number>;
export type Prefix6 = Prefix<bigint>;

/** Null if it is not an IPv4 address with a length of 0 to 32; bits after the prefix may be set. */
export const parsePrefix4 = (text: string): Prefix4 | null => parsePrefix(text, parseIpv4, 32);
/** Null if it is not an IPv6 address with a length of 0 to 128. */
export const parsePrefix6 = (text: string): Prefix6 | null => parsePrefix(text, parseIpv6, 128);

function parsePrefix<A>(
  text: string,
  parse: (text: string) => A | null,
  maxLength: number,
): Prefix<A> | null {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  const address = match && parse(match[1]!);
  const prefixLength = Number(match?.[2]);
  return address === null || prefixLength > maxLength ? null : { address, prefixLength };
}

export const formatPrefix4 = ({ address, prefixLength }: Prefix4): string =>
  `${formatIpv4(address)}/${prefixLength}`;
export const formatPrefix6 = ({ address, prefixLength }: Prefix6): string =>
  `${formatIpv6(address)}/${prefixLength}`;

/** The address with the bits after the prefix cleared. */
export const network4 = (address: number, prefixLength: number): number =>
  (address & maskOf(prefixLength)) >>> 0;

export function network6(address: bigint, prefixLength: number): bigint {
  const hostBits = BigInt(128 - prefixLength);
  return (address >> hostBits) << hostBits;
}

/** The directed broadcast address of a subnet. */
export const broadcast4 = ({ address, prefixLength }: Prefix4): number =>
  (address | ~maskOf(prefixLength)) >>> 0;

/** A subnet of two addresses or one has neither a network address nor a broadcast address (RFC 3021). */
export const hasBroadcast = ({ prefixLength }: Prefix4): boolean => prefixLength <= 30;

export const contains4 = (subnet: Prefix4, address: number): boolean =>
  network4(subnet.address, subnet.prefixLength) === network4(address, subnet.prefixLength);

export const contains6 = (subnet: Prefix6, address: bigint): boolean =>
  network6(subnet.address, subnet.prefixLength) === network6(address, subnet.prefixLength);

/** Whether two subnets share an address: the larger contains the smaller. */
export const overlaps = <A>(
  contains: (subnet: Prefix<A>, address: A) => boolean,
  one: Prefix<A>,
  other: Prefix<A>,
): boolean =>
  one.prefixLength <= other.prefixLength ? contains(one, other.address) : contains(other, one.address);

export const isPrefix4 = (prefix: Prefix4 | Prefix6): prefix is Prefix4 => typeof prefix.address === "number";

/** Parses a prefix of either family; null if it is neither. */
export const parseAnyPrefix = (text: string): Prefix4 | Prefix6 | null =>
  parsePrefix4(text) ?? parsePrefix6(text);
export const parseAnyAddress = (text: string): number | bigint | null => parseIpv4(text) ?? parseIpv6(text);

export const formatAnyPrefix = (prefix: Prefix4 | Prefix6): string =>
  isPrefix4(prefix) ? formatPrefix4(prefix) : formatPrefix6(prefix);
export const formatAnyAddress = (address: number | bigint): string =>
  typeof address === "number" ? formatIpv4(address) : formatIpv6(address);
