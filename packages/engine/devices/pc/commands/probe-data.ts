/** Contents of the packets of `ping` and `trace`. */
import { PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { MAC_BYTES, readMac, writeMac } from "../../../wire/mac.ts";
import { decodeUdp } from "../../../wire/udp.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";

const FIRST_PORT = 1024;
const PORTS = 65_000 - FIRST_PORT;
const FIRST_BYTE = 8;

/** 08 09 0a ... */
export const countingBytes = (count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, index) => (index + FIRST_BYTE) & 0xff);

/** As `countingBytes`, but begins with the PC's MAC, by which the PC recognises its datagram. @param count at least 6. */
export function macMarkedBytes({ mac }: Host, count: number): Uint8Array {
  const data = countingBytes(count);
  writeMac(data, 0, mac);
  return data;
}

/** Whether another host has sent back a datagram of this PC. */
export function isOwnUdp({ mac }: Host, { header, payload }: ReceivedIpv4): boolean {
  const data = header.protocol === PROTOCOL_UDP ? decodeUdp(payload)?.data : undefined;
  return data !== undefined && data.length >= MAC_BYTES && readMac(data, 0) === mac;
}

/** The clock's seconds, low byte first. */
export function clockId({ clockSeconds }: Host): number {
  return ((clockSeconds & 0xff) << 8) | ((clockSeconds >>> 8) & 0xff);
}

/** 1024 to 64999 */
export const randomPort = (host: Host): number => FIRST_PORT + host.below(PORTS);
