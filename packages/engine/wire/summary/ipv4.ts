/** IPv4 (RFC 791). It does not use the parser of `wire`, which accepts only whole packets. */
import { readU16, readU32 } from "../../base/bytes.ts";
import { IPV4_HEADER_BYTES } from "../ipv4.ts";
import { formatIpv4 } from "../ipv4-address.ts";
import { decodePayload, protocolName } from "./ip-payload.ts";
import { hex, type Packet } from "./packet.ts";

const FLAG_MORE_FRAGMENTS = 0x2000;
const OFFSET_MASK = 0x1fff;

export function decodeIpv4(packet: Packet, at: number): void {
  const { bytes } = packet;
  packet.protocol = "IPv4";
  if (!packet.has(at, IPV4_HEADER_BYTES, "IPv4 header")) return;
  packet.source = formatIpv4(readU32(bytes, at + 12));
  packet.target = formatIpv4(readU32(bytes, at + 16));
  const version = (bytes[at] as number) >> 4;
  const headerBytes = ((bytes[at] as number) & 15) * 4;
  const totalBytes = readU16(bytes, at + 2);
  if (version !== 4) packet.malformed(`IP version ${version}`);
  else if (headerBytes < IPV4_HEADER_BYTES) packet.malformed(`IPv4 header of ${headerBytes} bytes`);
  else if (totalBytes < headerBytes) packet.malformed(`IPv4 length ${totalBytes}, header ${headerBytes}`);
  else if (packet.limit(at, totalBytes, "IPv4") && packet.has(at, headerBytes, "IPv4 header")) {
    decodeContent(packet, at, { headerBytes, totalBytes });
  }
}

interface Lengths {
  readonly headerBytes: number;
  readonly totalBytes: number;
}

function decodeContent(packet: Packet, at: number, { headerBytes, totalBytes }: Lengths): void {
  const { bytes } = packet;
  const protocol = bytes[at + 9] as number;
  const fragment = readU16(bytes, at + 6);
  const offset = (fragment & OFFSET_MASK) * 8;
  const more = (fragment & FLAG_MORE_FRAGMENTS) !== 0;
  const payloadBytes = totalBytes - headerBytes;
  if (offset > 0 || more) {
    const id = hex(readU16(bytes, at + 4));
    packet.info = fragmentText({ protocol, id, offset, payloadBytes, more });
  } else {
    decodePayload(packet, { protocol, at: at + headerBytes, payloadBytes, ttl: bytes[at + 8] as number });
  }
}

interface Fragment {
  readonly protocol: number;
  readonly id: string;
  readonly offset: number;
  readonly payloadBytes: number;
  readonly more: boolean;
}

export function fragmentText({ protocol, id, offset, payloadBytes, more }: Fragment): string {
  const place = more ? "Fragment" : "Last fragment";
  return `${place} of ${protocolName(protocol)} id=${id} offset=${offset} len=${payloadBytes}`;
}
