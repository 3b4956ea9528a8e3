/** IPv6 and its extension headers (RFC 8200). */
import { readU16, readU32 } from "../../base/bytes.ts";
import { IPV6_HEADER_BYTES } from "../ipv6.ts";
import { formatIpv6, readIpv6 } from "../ipv6-address.ts";
import { decodePayload } from "./ip-payload.ts";
import { fragmentText } from "./ipv4.ts";
import { hex, type IpPayload, type Packet } from "./packet.ts";

const HOP_BY_HOP = 0;
const ROUTING = 43;
const FRAGMENT = 44;
const AUTHENTICATION = 51;
const NO_NEXT_HEADER = 59;
const DESTINATION_OPTIONS = 60;
const MOBILITY = 135;

const FLAG_MORE_FRAGMENTS = 1;
const OFFSET_MASK = 0xfff8;

/** Length of an extension header by its number, from its second byte. */
const LENGTHS: Readonly<Record<number, (lengthField: number) => number>> = {
  [HOP_BY_HOP]: (field) => 8 * field + 8,
  [ROUTING]: (field) => 8 * field + 8,
  [DESTINATION_OPTIONS]: (field) => 8 * field + 8,
  [MOBILITY]: (field) => 8 * field + 8,
  [FRAGMENT]: () => 8,
  [AUTHENTICATION]: (field) => 4 * field + 8,
};

export function decodeIpv6(packet: Packet, at: number): void {
  const { bytes } = packet;
  packet.protocol = "IPv6";
  if (!packet.has(at, IPV6_HEADER_BYTES, "IPv6 header")) return;
  packet.source = formatIpv6(readIpv6(bytes, at + 8));
  packet.target = formatIpv6(readIpv6(bytes, at + 24));
  const version = (bytes[at] as number) >> 4;
  const start = at + IPV6_HEADER_BYTES;
  const payloadBytes = readU16(bytes, at + 4);
  const protocol = bytes[at + 6] as number;
  if (version !== 6) packet.malformed(`IP version ${version}`);
  else if (packet.limit(start, payloadBytes, "IPv6 payload")) {
    decodeHeaders(packet, { protocol, at: start, payloadBytes, ttl: bytes[at + 7] as number });
  }
}

/** Skips the extension headers, up to the payload or a fragment of it. */
function decodeHeaders(packet: Packet, { protocol: first, at: start, payloadBytes, ttl }: IpPayload): void {
  const { bytes } = packet;
  let protocol = first;
  let at = start;
  for (let length = LENGTHS[protocol]; length !== undefined; length = LENGTHS[protocol]) {
    if (!packet.has(at, 8, "IPv6 extension header")) return;
    const isFragment = protocol === FRAGMENT;
    const place = readU16(bytes, at + 2);
    const left = payloadBytes - (at - start);
    protocol = bytes[at] as number;
    if (isFragment && (place & (OFFSET_MASK | FLAG_MORE_FRAGMENTS)) !== 0) {
      const id = hex(readU32(bytes, at + 4), 8);
      const more = (place & FLAG_MORE_FRAGMENTS) !== 0;
      packet.info = fragmentText({ protocol, id, offset: place & OFFSET_MASK, payloadBytes: left - 8, more });
      return;
    }
    at += length(bytes[at + 1] as number);
  }
  if (protocol === NO_NEXT_HEADER) packet.info = "no payload";
  else decodePayload(packet, { protocol, at, payloadBytes: payloadBytes - (at - start), ttl });
}
