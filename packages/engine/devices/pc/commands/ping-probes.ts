/** The packets of `ping` (ICMP, UDP, bare TCP segments), and how their replies are told. */
import {
  echoSequence,
  encodeEcho,
  ICMP_ECHO_REPLY,
  ICMP_HEADER_BYTES,
  rewriteEcho,
} from "../../../wire/icmp.ts";
import { PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { encodeUdp4 } from "../../../wire/udp.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";
import type { Ping } from "./ping-packets.ts";
import { clockId, countingBytes, isOwnUdp, macMarkedBytes, randomPort } from "./probe-data.ts";
import { encodeBareSegment, PING_WINDOW_BYTES, tcpFrom } from "./tcp-segments.ts";

export interface Probe {
  /** Before `_seq`. */
  readonly name: string;
  readonly protocol: number;
  /** Valid until the next one: it is copied into the frames. */
  payload(sequence: number): Uint8Array;
  /** @param packet for this PC's address. */
  isReply(packet: ReceivedIpv4, sequence: number): boolean;
}

export function makeProbe(ping: Ping): Probe {
  switch (ping.options.protocol) {
    case "icmp":
      return makeEcho(ping);
    case "udp":
      return makeDatagram(ping);
    case "tcp":
      return makeSegment(ping);
  }
}

/** Known by target and sequence number alone: the id is the clock and changes from packet to packet. */
function makeEcho({ host, target, options }: Ping): Probe {
  const message = encodeEcho(0, 0, countingBytes(options.dataBytes));
  return {
    name: "icmp",
    protocol: PROTOCOL_ICMP,
    payload(sequence) {
      rewriteEcho(message, clockId(host), sequence & 0xffff);
      return message;
    },
    isReply: ({ header, payload }, sequence) =>
      header.protocol === PROTOCOL_ICMP &&
      header.source === target &&
      payload.length >= ICMP_HEADER_BYTES &&
      payload[0] === ICMP_ECHO_REPLY &&
      echoSequence(payload) === (sequence & 0xffff),
  };
}

function makeDatagram({ host, target, options }: Ping): Probe {
  const { targetPort } = options;
  const sourcePort = options.sourcePort || randomPort(host);
  const data = macMarkedBytes(host, options.dataBytes);
  return {
    name: "udp",
    protocol: PROTOCOL_UDP,
    payload: () => encodeUdp4(ownAddress(host), target, { sourcePort, targetPort, data }),
    isReply: (packet) => packet.header.source === target && isOwnUdp(host, packet),
  };
}

/** Whatever TCP the target answers is a reply. */
function makeSegment({ host, target, options }: Ping): Probe {
  const { targetPort, flags = 0 } = options;
  const sourcePort = options.sourcePort || randomPort(host);
  const ports = { sourcePort, targetPort };
  return {
    name: "tcp",
    protocol: PROTOCOL_TCP,
    payload: () => encodeBareSegment(host, target, ports, flags, PING_WINDOW_BYTES),
    isReply: (packet) => tcpFrom(packet, target, ports) !== null,
  };
}

const ownAddress = ({ state }: Host): number => state.ipv4.address;
