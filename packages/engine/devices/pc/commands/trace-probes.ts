/** Makes the packets of `trace` and recognises their answers. */

import { readU16, readU32 } from "../../../base/bytes.ts";
import { encodeEcho, ICMP_ECHO_REPLY, ICMP_HEADER_BYTES } from "../../../wire/icmp.ts";
import { IPV4_HEADER_BYTES, PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { TCP_SYN } from "../../../wire/tcp.ts";
import { encodeUdp4 } from "../../../wire/udp.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";
import { type Notes, once } from "../notes.ts";
import type { PingProtocol } from "../ping-options.ts";
import { isIcmpError, isOwnIcmp } from "./icmp-error.ts";
import { clockId, countingBytes, isOwnUdp, macMarkedBytes, randomPort } from "./probe-data.ts";
import { encodeBareSegment, tcpFrom } from "./tcp-segments.ts";

const DATA_BYTES = 64;

export interface TraceProbe {
  readonly protocol: number;
  payload(): Uint8Array;
  /** @param id the IP id of the last packet sent. */
  isAnswer(packet: ReceivedIpv4, id: number): boolean;
}

/** The probes of one protocol, and the target's replies to them. */
interface Kind {
  readonly protocol: number;
  payload(): Uint8Array;
  isReply(packet: ReceivedIpv4): boolean;
}

export function makeTraceProbe(host: Host, target: number, protocol: PingProtocol, notes: Notes): TraceProbe {
  const kind = makeKind(host, target, protocol, notes);
  return {
    protocol: kind.protocol,
    payload: () => kind.payload(),
    isAnswer: (packet, id) => {
      if (isIcmpError(host, packet)) return !quotesOther(host, packet, target, id);
      const { header } = packet;
      return header.source === target && header.target === host.state.ipv4.address && kind.isReply(packet);
    },
  };
}

/** Whether an error quotes an earlier probe and arrived too late for it. */
function quotesOther(host: Host, { payload }: ReceivedIpv4, target: number, id: number): boolean {
  const quote = payload.subarray(ICMP_HEADER_BYTES);
  if (quote.length < IPV4_HEADER_BYTES) return false;
  const isOurs = readU32(quote, 12) === host.state.ipv4.address && readU32(quote, 16) === target;
  return isOurs && readU16(quote, 4) !== id;
}

function makeKind(host: Host, target: number, protocol: PingProtocol, notes: Notes): Kind {
  switch (protocol) {
    case "icmp":
      return makeEcho(host);
    case "udp":
      return makeDatagram(host, target, notes);
    case "tcp":
      return makeSegment(host, target, notes);
  }
}

function makeEcho(host: Host): Kind {
  return {
    protocol: PROTOCOL_ICMP,
    payload: () => encodeEcho(clockId(host), 0, countingBytes(DATA_BYTES)),
    isReply: (packet) => isOwnIcmp(host, packet) && packet.payload[0] === ICMP_ECHO_REPLY,
  };
}

/** All probes of a trace use the same ports. */
function makeDatagram(host: Host, target: number, notes: Notes): Kind {
  const sourcePort = once(notes, "port", () => randomPort(host));
  const udp = { sourcePort, targetPort: sourcePort + 1, data: macMarkedBytes(host, DATA_BYTES) };
  return {
    protocol: PROTOCOL_UDP,
    payload: () => encodeUdp4(host.state.ipv4.address, target, udp),
    isReply: (packet) => isOwnUdp(host, packet),
  };
}

function makeSegment(host: Host, target: number, notes: Notes): Kind {
  const sourcePort = once(notes, "port", () => randomPort(host));
  const ports = { sourcePort, targetPort: sourcePort + 1 };
  return {
    protocol: PROTOCOL_TCP,
    payload: () => encodeBareSegment(host, target, ports, TCP_SYN, 0),
    isReply: (packet) => tcpFrom(packet, target, ports) !== null,
  };
}
