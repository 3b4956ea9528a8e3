/** Makes the packets of `ping` and `trace` over IPv6 and recognises their replies. */
import { readU16 } from "../../../base/bytes.ts";
import { encodeIcmpv6, ICMPV6_ECHO, ICMPV6_ECHO_REPLY } from "../../../wire/icmpv6.ts";
import { PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { MAC_BYTES, readMac } from "../../../wire/mac.ts";
import { decodeTcp, encodeTcp, TCP_SYN } from "../../../wire/tcp.ts";
import { decodeUdp, encodeUdp } from "../../../wire/udp.ts";
import { clockId, macMarkedBytes, randomPort } from "../commands/probe-data.ts";
import { synOptions, timestampOption } from "../commands/tcp-segments.ts";
import type { Host, ReceivedIpv6 } from "../host.ts";
import { type Notes, once } from "../notes.ts";
import type { Ping6 } from "./ping-line.ts";

const WINDOW_BYTES = 2920;
const NONE = new Uint8Array();

export interface Probe {
  /** Printed before `_seq`. */
  readonly name: string;
  readonly nextHeader: number;
  /** Returns the payload without its checksum. */
  payload(sequence: number, dataBytes: number): Uint8Array;
  isReply(packet: ReceivedIpv6, sequence: number): boolean;
}

export function makeProbe(ping: Ping6, notes: Notes): Probe {
  switch (ping.options.protocol) {
    case "icmp":
      return makeEcho(ping, notes);
    case "udp":
      return makeUdp(ping, notes);
    case "tcp":
      return makeSegment(ping, notes);
  }
}

/** The id is the clock, low byte first; it stays the same for the whole command. */
function makeEcho({ host, target }: Ping6, notes: Notes): Probe {
  const id = once(notes, "id", () => clockId(host));
  return {
    name: "icmp6",
    nextHeader: PROTOCOL_ICMPV6,
    payload: (sequence, dataBytes) =>
      encodeIcmpv6(
        ICMPV6_ECHO,
        0,
        id * 0x1_0000 + (sequence & 0xffff),
        Uint8Array.from({ length: dataBytes }, (_, i) => i % 255),
      ),
    isReply: ({ header, payload }, sequence) =>
      header.nextHeader === PROTOCOL_ICMPV6 &&
      header.source === target &&
      payload.length >= 8 &&
      payload[0] === ICMPV6_ECHO_REPLY &&
      readU16(payload, 6) === (sequence & 0xffff),
  };
}

function makeUdp({ host, target, options }: Ping6, notes: Notes): Probe {
  const sourcePort = once(notes, "port", () => options.sourcePort || randomPort(host));
  return {
    name: "udp6",
    nextHeader: PROTOCOL_UDP,
    payload: (_sequence, dataBytes) =>
      encodeUdp({ sourcePort, targetPort: options.targetPort, data: macMarkedBytes(host, dataBytes) }, 0),
    isReply: (packet) => packet.header.source === target && isOwnUdp(host, packet),
  };
}

/** Sends one bare segment with the flags of `-f`; any TCP segment from the target is a reply. */
function makeSegment({ host, target, options }: Ping6, notes: Notes): Probe {
  const sourcePort = once(notes, "port", () => options.sourcePort || randomPort(host));
  const { targetPort, flags = 0 } = options;
  return {
    name: "tcp6",
    nextHeader: PROTOCOL_TCP,
    payload: () =>
      encodeTcp(
        {
          sourcePort,
          targetPort,
          sequence: host.clockSeconds >>> 0,
          acknowledgement: 0,
          flags,
          window: WINDOW_BYTES,
          options: flags === TCP_SYN ? synOptions(host) : timestampOption(host),
          data: NONE,
        },
        0,
      ),
    isReply: ({ header, payload }) => {
      if (header.nextHeader !== PROTOCOL_TCP || header.source !== target) return false;
      const tcp = decodeTcp(payload);
      return tcp?.sourcePort === targetPort && tcp.targetPort === sourcePort;
    },
  };
}

/** Whether another host has sent back a datagram of this PC. */
export function isOwnUdp(host: Host, { header, payload }: ReceivedIpv6): boolean {
  const udp = header.nextHeader === PROTOCOL_UDP ? decodeUdp(payload) : null;
  return udp !== null && udp.data.length >= MAC_BYTES && readMac(udp.data, 0) === host.mac;
}
