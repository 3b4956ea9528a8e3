/** UDP (RFC 768): source port, target port, length, checksum, data. */
import { readU16, writeU16 } from "../base/bytes.ts";
import { foldChecksum, pseudoHeaderSum4, sumWords } from "../base/checksum.ts";
import { PROTOCOL_UDP } from "./ipv4.ts";

export const UDP_HEADER_BYTES = 8;

export interface Udp {
  readonly sourcePort: number;
  readonly targetPort: number;
  readonly data: Uint8Array;
}

/** Returns null if it is not a whole datagram; `data` is a view. Does not check the checksum. */
export function decodeUdp(datagram: Uint8Array): Udp | null {
  if (datagram.length < UDP_HEADER_BYTES) return null;
  const length = readU16(datagram, 4);
  if (length < UDP_HEADER_BYTES || length > datagram.length) return null;
  return {
    sourcePort: readU16(datagram, 0),
    targetPort: readU16(datagram, 2),
    data: datagram.subarray(UDP_HEADER_BYTES, length),
  };
}

/** @param pseudoSum of the pseudo header, `pseudoHeaderSum4` or `pseudoHeaderSum6` (which need the length: `udpBytes`). */
export function encodeUdp(udp: Udp, pseudoSum: number): Uint8Array {
  const datagram = encodeUdpUnchecked(udp);
  // RFC 768: a computed checksum of zero is sent as all ones, because zero means no checksum.
  writeU16(datagram, 6, foldChecksum(sumWords(datagram, 0, datagram.length, pseudoSum)) || 0xffff);
  return datagram;
}

/** Encodes a datagram without a checksum, which IPv4 allows: that of what is inside is enough for a tunnel. */
export function encodeUdpUnchecked({ sourcePort, targetPort, data }: Udp): Uint8Array {
  const datagram = new Uint8Array(UDP_HEADER_BYTES + data.length);
  writeU16(datagram, 0, sourcePort);
  writeU16(datagram, 2, targetPort);
  writeU16(datagram, 4, datagram.length);
  datagram.set(data, UDP_HEADER_BYTES);
  return datagram;
}

export const udpBytes = (data: Uint8Array): number => UDP_HEADER_BYTES + data.length;

/** Encodes a datagram for IPv4. */
export const encodeUdp4 = (source: number, target: number, udp: Udp): Uint8Array =>
  encodeUdp(udp, pseudoHeaderSum4(source, target, PROTOCOL_UDP, udpBytes(udp.data)));
