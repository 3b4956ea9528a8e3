/** Makes the TCP segments that `ping` and `trace` send, and recognises their answers. */
import { writeU16, writeU32 } from "../../../base/bytes.ts";
import { PROTOCOL_TCP } from "../../../wire/ipv4.ts";
import { decodeTcp, encodeTcp4, TCP_SYN, type Tcp } from "../../../wire/tcp.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";

export interface Ports {
  readonly sourcePort: number;
  readonly targetPort: number;
}

/** Ethernet's MTU without the headers of IPv4 and TCP. */
const SEGMENT_MAX_BYTES = 1460;
/** The window that a ping offers. A trace opens no connection and offers 0. */
export const PING_WINDOW_BYTES = 2920;
const NOTHING = new Uint8Array();

/** Maximum segment size, NOP, NOP, timestamp, NOP, window scale 1 (RFC 9293 section 3.1, RFC 7323). */
export function synOptions(host: Host): Uint8Array {
  const bytes = Uint8Array.of(2, 4, 0, 0, ...timestampOption(host), 1, 3, 3, 1);
  writeU16(bytes, 2, SEGMENT_MAX_BYTES);
  return bytes;
}

/** NOP, NOP, timestamp: the clock in seconds, with 0 as the peer's echo. */
export function timestampOption({ clockSeconds }: Host): Uint8Array {
  const bytes = Uint8Array.of(1, 1, 8, 10, 0, 0, 0, 0, 0, 0, 0, 0);
  writeU32(bytes, 4, clockSeconds >>> 0);
  return bytes;
}

/** Encodes a segment outside any connection, without data; its sequence number is the clock. */
export function encodeBareSegment(
  host: Host,
  target: number,
  ports: Ports,
  flags: number,
  window: number,
): Uint8Array {
  return encodeTcp4(host.state.ipv4.address, target, {
    ...ports,
    sequence: host.clockSeconds >>> 0,
    acknowledgement: 0,
    flags,
    window,
    options: flags === TCP_SYN ? synOptions(host) : timestampOption(host),
    data: NOTHING,
  });
}

/** Returns the TCP segment that answers on `ports`; null if the packet is not one. */
export function tcpFrom(packet: ReceivedIpv4, target: number, { sourcePort, targetPort }: Ports): Tcp | null {
  if (packet.header.source !== target) return null;
  const tcp = packet.header.protocol === PROTOCOL_TCP ? decodeTcp(packet.payload) : null;
  return tcp?.sourcePort === targetPort && tcp.targetPort === sourcePort ? tcp : null;
}
