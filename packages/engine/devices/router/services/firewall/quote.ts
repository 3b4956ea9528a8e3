/** The packets that ICMP errors quote (RFC 792, RFC 4443): often only their first bytes. */
import { readU16, readU32 } from "../../../../base/bytes.ts";
import { type Fields, fieldsAt, NONE, skipExtensions } from "../../../../net/packet/fields.ts";
import { isErrorType } from "../../../../net/packet/icmp-quote.ts";
import { IPV4_HEADER_BYTES, PROTOCOL_ICMP, PROTOCOL_ICMPV6 } from "../../../../wire/ipv4.ts";
import { IPV6_HEADER_BYTES } from "../../../../wire/ipv6.ts";
import { readIpv6 } from "../../../../wire/ipv6-address.ts";

const ICMP_HEADER_BYTES = 8;
const OFFSET_MASK = 0x1fff;
const FIRST_INFORMATIONAL_TYPE = 128;

export const isError4 = ({ protocol, icmpType }: Fields<number>): boolean =>
  protocol === PROTOCOL_ICMP && icmpType !== NONE && isErrorType(icmpType);

export const isError6 = ({ protocol, icmpType }: Fields<bigint>): boolean =>
  protocol === PROTOCOL_ICMPV6 && icmpType !== NONE && icmpType < FIRST_INFORMATIONAL_TYPE;

/** The offset of the packet that an error quotes. */
export const quoteAt = ({ at }: Fields<number | bigint>): number => at + ICMP_HEADER_BYTES;

/** Undefined if the quote is too short, or not of a first fragment. */
export function quotedFields4(frame: Uint8Array, error: Fields<number>): Fields<number> | undefined {
  const at = quoteAt(error);
  const headerBytes = ((frame[at] ?? 0) & 15) * 4;
  const upperAt = at + headerBytes;
  if (headerBytes < IPV4_HEADER_BYTES || (frame[at] as number) >> 4 !== 4) return undefined;
  if (upperAt > error.end || (readU16(frame, at + 6) & OFFSET_MASK) !== 0) return undefined;
  const [source, target] = [readU32(frame, at + 12), readU32(frame, at + 16)];
  return fieldsAt(frame, upperAt, error.end, frame[at + 9] as number, false, source, target);
}

export function quotedFields6(frame: Uint8Array, error: Fields<bigint>): Fields<bigint> | undefined {
  const at = quoteAt(error);
  const upperAt = at + IPV6_HEADER_BYTES;
  if (upperAt > error.end || (frame[at] as number) >> 4 !== 6) return undefined;
  const upper = skipExtensions(frame, upperAt, error.end, frame[at + 6] as number);
  if (upper.isLater) return undefined;
  return fieldsAt(
    frame,
    upper.at,
    error.end,
    upper.protocol,
    false,
    readIpv6(frame, at + 8),
    readIpv6(frame, at + 24),
  );
}
