/** The TCP segments that `ping` and `trace` send, and those that answer them. */
import { writeU16, writeU32 } from "../../../base/bytes.ts";
import { PROTOCOL_TCP } from "../../../wire/ipv4.ts";
import { decodeTcp, encodeTcp4, TCP_SYN, type Tcp } from "../../../wire/tcp.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";

export interface Ports {
  readonly sourcePort: number;
  readonly targetPort: number;
}

/** Of Ethernet's MTU, without the headers of IPv4 and TCP. */
const SEGMENT_MAX_BYTES = 1460;
/** What a ping offers; a trace, which wants no connection, offers nothing. */
export const PING_WINDOW_BYTES = 2920;
const NOTHING = new Uint8Array();

/** Maximum segment size, NOP, NOP, timestamp, NOP, window scale 1 (RFC 9293 section 3.1, RFC 7323). */
export function synOptions(host: Host): Uint8Array {
  const bytes = Uint8Array.of(2, 4, 0, 0, ...timestampOption(host), 1, 3, 3, 1);
  writeU16(bytes, 2, SEGMENT_MAX_BYTES);
  return bytes;
}

/** NOP, NOP, timestamp: the clock in seconds, and no echo of the peer's. */
export function timestampOption({ clockSeconds }: Host): Uint8Array {
  const bytes = Uint8Array.of(1, 1, 8, 10, 0, 0, 0, 0, 0, 0, 0, 0);
  writeU32(bytes, 4, clockSeconds >>> 0);
  return bytes;
}

/** A segment that stands for itself, without data; its sequence number is the clock. */
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

/** The segment that comes from where those of `ports` go; null when the packet is none. */
export function tcpFrom(packet: ReceivedIpv4, target: number, { sourcePort, targetPort }: Ports): Tcp | null {
  if (packet.header.source !== target) return null;
  const tcp = packet.header.protocol === PROTOCOL_TCP ? decodeTcp(packet.payload) : null;
  return tcp?.sourcePort === targetPort && tcp.targetPort === sourcePort ? tcp : null;
}
