/** A pool of addresses: `203.0.113.5-203.0.113.9`, or a single address. */
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";

export interface AddressPool {
  readonly first: number;
  readonly last: number;
}

/** Null if it is not an address, or two in ascending order. */
export function parsePool(text: string): AddressPool | null {
  const [from = "", to = from, ...rest] = text.split("-");
  const first = parseIpv4(from);
  const last = parseIpv4(to);
  return first === null || last === null || rest.length > 0 || first > last ? null : { first, last };
}

export const formatPool = ({ first, last }: AddressPool): string =>
  first === last ? formatIpv4(first) : `${formatIpv4(first)}-${formatIpv4(last)}`;

export const sizeOf = ({ first, last }: AddressPool): number => last - first + 1;

export const isInPool = ({ first, last }: AddressPool, address: number): boolean =>
  first <= address && address <= last;
