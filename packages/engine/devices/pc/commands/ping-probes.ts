/** Makes the packets of `ping` (ICMP, UDP, bare TCP segments) and recognises their replies. */
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
import { type Notes, once } from "../notes.ts";
import type { Ping } from "./ping-packets.ts";
import { clockId, countingBytes, isOwnUdp, macMarkedBytes, randomPort } from "./probe-data.ts";
import { encodeBareSegment, PING_WINDOW_BYTES, tcpFrom } from "./tcp-segments.ts";

export interface Probe {
  /** Printed before `_seq`. */
  readonly name: string;
  readonly protocol: number;
  /** The result is valid until the next call, because the caller copies it into frames. */
  payload(sequence: number): Uint8Array;
  /** @param packet is addressed to this PC. */
  isReply(packet: ReceivedIpv4, sequence: number): boolean;
}

export function makeProbe(ping: Ping, notes: Notes): Probe {
  switch (ping.options.protocol) {
    case "icmp":
      return makeEcho(ping);
    case "udp":
      return makeDatagram(ping, notes);
    case "tcp":
      return makeSegment(ping, notes);
  }
}

/** Matches replies by target and sequence number only: the id is the clock and changes between packets. */
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

function makeDatagram({ host, target, options }: Ping, notes: Notes): Probe {
  const { targetPort } = options;
  const sourcePort = once(notes, "port", () => options.sourcePort || randomPort(host));
  const data = macMarkedBytes(host, options.dataBytes);
  return {
    name: "udp",
    protocol: PROTOCOL_UDP,
    payload: () => encodeUdp4(ownAddress(host), target, { sourcePort, targetPort, data }),
    isReply: (packet) => packet.header.source === target && isOwnUdp(host, packet),
  };
}

/** Any TCP segment from the target is a reply. */
function makeSegment({ host, target, options }: Ping, notes: Notes): Probe {
  const { targetPort, flags = 0 } = options;
  const sourcePort = once(notes, "port", () => options.sourcePort || randomPort(host));
  const ports = { sourcePort, targetPort };
  return {
    name: "tcp",
    protocol: PROTOCOL_TCP,
    payload: () => encodeBareSegment(host, target, ports, flags, PING_WINDOW_BYTES),
    isReply: (packet) => tcpFrom(packet, target, ports) !== null,
  };
}

const ownAddress = ({ state }: Host): number => state.ipv4.address;
