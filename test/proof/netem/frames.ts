/** Numbered UDP packets. */
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  encodeEthernet,
  etherType,
} from "@wirelab/engine/wire/ethernet";
import { encodeIpv4, IPV4_HEADER_BYTES, PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { encodeUdp4, UDP_HEADER_BYTES } from "@wirelab/engine/wire/udp";

const SOURCE = parseIpv4("10.0.0.1")!;
const TARGET = parseIpv4("10.0.1.2")!;
const SOURCE_MAC = 0x0200_0000_0001;
const PORT = 9_000;
const HEADER_BYTES = ETHERNET_HEADER_BYTES + IPV4_HEADER_BYTES + UDP_HEADER_BYTES;

/** @param bytes of the frame, without its checksum. */
export function makeFrame(targetMac: number, number: number, bytes: number): Uint8Array {
  const data = new Uint8Array(bytes - HEADER_BYTES);
  new DataView(data.buffer).setUint32(0, number);
  const udp = encodeUdp4(SOURCE, TARGET, { sourcePort: PORT, targetPort: PORT, data });
  const fields = { source: SOURCE, target: TARGET, protocol: PROTOCOL_UDP, ttl: 64, id: number & 0xffff };
  return encodeEthernet(targetMac, SOURCE_MAC, ETHERTYPE_IPV4, encodeIpv4(fields, udp)[0]!);
}

/** @returns undefined for other frames. */
export function numberOf(frame: Uint8Array): number | undefined {
  if (frame.length < HEADER_BYTES + 4 || etherType(frame) !== ETHERTYPE_IPV4) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset);
  const isOurs = view.getUint8(ETHERNET_HEADER_BYTES + 9) === PROTOCOL_UDP && view.getUint16(36) === PORT;
  return isOurs ? view.getUint32(HEADER_BYTES) : undefined;
}
