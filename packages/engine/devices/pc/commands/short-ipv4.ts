/**
 * Parses IPv4 addresses the way the C library's inet_addr does, which every command of VPCS uses.
 *
 * An address has one to four parts; the last part fills all remaining bytes: `10.5` is 10.0.0.5. A part that begins with 0x is
 * hexadecimal, with 0 octal: `0x0a.1` and `012.1` are 10.0.0.1. 255.255.255.255 is refused: it is inet_addr's error value.
 */
import { BROADCAST_IPV4 } from "../../../wire/ipv4-address.ts";

const PART = /^(?:0x[\da-f]+|0[0-7]*|[1-9]\d*)$/i;
const PART_MAX_CHARACTERS = 32;

/** Returns null if the text is not an address. */
export function parseShortIpv4(text: string): number | null {
  const parts = text.split(".");
  if (parts.length > 4 || !parts.every(isPart)) return null;
  const numbers = parts.map(toNumber);
  const last = numbers.pop() as number;
  if (numbers.some((number) => number > 255) || last >= 256 ** (4 - numbers.length)) return null;
  const address = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last);
  return address === BROADCAST_IPV4 ? null : address;
}

const isPart = (part: string): boolean => part.length <= PART_MAX_CHARACTERS && PART.test(part);

const toNumber = (part: string): number => Number(/^0\d/.test(part) ? `0o${part}` : part);
