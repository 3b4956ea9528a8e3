/** UDP (RFC 768): source port, target port, length, checksum, data. */
import { readU16, writeU16 } from "../base/bytes.ts";
import { foldChecksum, pseudoHeaderSum4, sumWords } from "../base/checksum.ts";
import { PROTOCOL_UDP } from "./ipv4.ts";
import { bytesText, lacks, type Protocol } from "./protocol.ts";
import { dec16, hex16 } from "./show.ts";

export const UDP_HEADER_BYTES = 8;
/** Echo (RFC 862). */
export const ECHO_PORT = 7;

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

export const UDP: Protocol = {
  name: "UDP",
  least: [4, "UDP ports"],
  layout: [
    ["Source port", 0, 2, dec16, "port"],
    ["Destination port", 2, 2, dec16, "port"],
    ["Length", 4, 2, dec16],
    ["Checksum", 6, 2, hex16],
  ],
  length: () => UDP_HEADER_BYTES,
  note: ({ bytes, at }, seen) => {
    seen.sourcePort = readU16(bytes, at);
    seen.targetPort = readU16(bytes, at + 2);
  },
  check: (place) => {
    const { bytes, at, end, ip, isPartial } = place;
    const cut = lacks(place, UDP_HEADER_BYTES, "UDP header");
    if (cut !== undefined) return cut;
    const [length, payloadBytes] = [readU16(bytes, at + 4), ip?.payloadBytes ?? end - at];
    return length < UDP_HEADER_BYTES || (length > payloadBytes && isPartial !== true)
      ? { text: `UDP length ${length} in ${bytesText(payloadBytes)}` }
      : Math.min(end, at + length);
  },
  line: ({ bytes, at }) =>
    `${readU16(bytes, at)} -> ${readU16(bytes, at + 2)} len=${readU16(bytes, at + 4) - UDP_HEADER_BYTES}`,
  next: ({ bytes, at }) => ({
    to: ["port", readU16(bytes, at + 2), readU16(bytes, at)],
    at: at + UDP_HEADER_BYTES,
  }),
};
