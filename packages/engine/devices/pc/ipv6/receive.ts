/**
 * Handles IPv6 packets that no command waits for: answers solicitations, echo requests, UDP and TCP, and learns neighbours
 * and routers. Refuses packets over the PC's MTU.
 */

import { readU32 } from "../../../base/bytes.ts";
import { DNS_PORT } from "../../../wire/dns.ts";
import {
  encodeIcmpv6,
  ICMPV6_ECHO,
  ICMPV6_ECHO_REPLY,
  ICMPV6_TOO_BIG,
  ICMPV6_UNREACHABLE,
  NEIGHBOUR_ADVERTISEMENT,
  NEIGHBOUR_SOLICITATION,
  ROUTER_SOLICITATION,
} from "../../../wire/icmpv6.ts";
import { PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { encodeIpv6 } from "../../../wire/ipv6.ts";
import { ALL_NODES, formatIpv6, isMulticastIpv6, solicitedNode } from "../../../wire/ipv6-address.ts";
import { ipv6MulticastMac, isGroupMac, readMac } from "../../../wire/mac.ts";
import { decodeTcp, encodeTcp } from "../../../wire/tcp.ts";
import { decodeUdp, ECHO_PORT, encodeUdp, type Udp } from "../../../wire/udp.ts";
import type { Host, ReceivedIpv6 } from "../host.ts";
import { serveTcp } from "../stack/tcp-server.ts";
import { answer } from "./answer.ts";
import { linkMtu6 } from "./link-mtu.ts";
import { learnNeighbour, neighbourMessage } from "./neighbours.ts";
import { learnRouter } from "./router.ts";
import { isOwnIpv6, sendNeighbour } from "./send.ts";

export const UNREACHABLE_PORT6 = 4;
/** The highest message type of neighbour discovery. */
const REDIRECT = 137;
const FLAG_SOLICITED = 0x4000_0000;
const FLAG_OVERRIDE = 0x2000_0000;
/** An error quotes as much as fits into the IPv6 minimum MTU (RFC 4443 section 2.4 c). */
const QUOTE_MAX_BYTES = 1280 - 40 - 8;

export function receiveIpv6(host: Host, packet: ReceivedIpv6): void {
  const { header } = packet;
  if (isMulticastIpv6(header.source) || isGroupMac(packet.sourceMac)) return;
  if (header.nextHeader === PROTOCOL_ICMPV6) receiveIcmpv6(host, packet);
  else if (!isForThisPc(host, packet)) return;
  else if (header.nextHeader === PROTOCOL_UDP) receiveUdp6(host, packet);
  else if (header.nextHeader === PROTOCOL_TCP) receiveTcp6(host, packet);
}

/** Whether a packet is for an own address, in a frame for the own MAC, from a source that can be answered. */
const isForThisPc = (host: Host, { header, targetMac }: ReceivedIpv6): boolean =>
  targetMac === host.mac &&
  isOwnIpv6(host, header.target) &&
  header.source !== 0n &&
  !isOwnIpv6(host, header.source);

function receiveIcmpv6(host: Host, packet: ReceivedIpv6): void {
  if (learnRouter(host, packet) || learnNeighbour(host, packet) !== undefined) return;
  if (packet.payload[0] === NEIGHBOUR_SOLICITATION) answerSolicitation(host, packet);
  else if (packet.payload[0] === ICMPV6_ECHO && packet.payload.length >= 8 && isForThisPc(host, packet))
    answerEcho(host, packet);
}

/**
 * Answers only solicitations sent to the group of an own address. The answer carries a MAC if the solicitation did. A probe
 * from the unspecified address gets an unsolicited answer to all nodes (RFC 4861, 7.2.4).
 */
function answerSolicitation(host: Host, packet: ReceivedIpv6): void {
  const question = neighbourMessage(packet);
  if (question === null || !isOwnIpv6(host, question.target)) return;
  if (packet.header.target !== solicitedNode(question.target)) return;
  const isProbe = packet.header.source === 0n;
  const asker = isProbe ? ALL_NODES : packet.header.source;
  const askerMac = isProbe ? ipv6MulticastMac(ALL_NODES) : packet.sourceMac;
  sendNeighbour(host, askerMac, question.target, asker, {
    type: NEIGHBOUR_ADVERTISEMENT,
    flags: isProbe ? FLAG_OVERRIDE : FLAG_SOLICITED + FLAG_OVERRIDE,
    target: question.target,
    mac: question.mac === undefined ? undefined : host.mac,
  });
}

function answerEcho(host: Host, packet: ReceivedIpv6): void {
  const { payload } = packet;
  const reply = encodeIcmpv6(ICMPV6_ECHO_REPLY, 0, readU32(payload, 4), payload.subarray(8));
  answer(host, packet, PROTOCOL_ICMPV6, reply);
}

/** Sends the payload back, unless it is itself an answer: two PCs would otherwise echo each other without end. */
function receiveUdp6(host: Host, packet: ReceivedIpv6): void {
  const udp = decodeUdp(packet.payload);
  if (udp === null || isAnswer(host, udp)) return;
  if (packet.header.hopLimit <= 1) refusePort(host, packet);
  else answer(host, packet, PROTOCOL_UDP, encodeUdp(swapPorts(udp), 0));
}

const swapPorts = ({ sourcePort, targetPort, data }: Udp): Udp => ({
  sourcePort: targetPort,
  targetPort: sourcePort,
  data,
});

const isAnswer = (host: Host, { sourcePort, data }: Udp): boolean =>
  sourcePort === ECHO_PORT || sourcePort === DNS_PORT || (data.length >= 6 && readMac(data, 0) === host.mac);

/** Sends "port unreachable", which ends a trace. */
function refusePort(host: Host, packet: ReceivedIpv6): void {
  report(host, packet, ICMPV6_UNREACHABLE, UNREACHABLE_PORT6, 0);
}

/** Answers a packet over the PC's MTU with "packet too big", unless it is an ICMPv6 error (RFC 4443, section 2.4 e). */
export function refuseSize(host: Host, packet: ReceivedIpv6): void {
  const { header, payload } = packet;
  const isError = header.nextHeader === PROTOCOL_ICMPV6 && (payload[0] as number) < ICMPV6_ECHO;
  if (isForThisPc(host, packet) && !isError) report(host, packet, ICMPV6_TOO_BIG, 0, linkMtu6(host.state));
}

function report(host: Host, packet: ReceivedIpv6, type: number, code: number, rest: number): void {
  const quote = encodeIpv6(packet.header, packet.payload).subarray(0, QUOTE_MAX_BYTES);
  answer(host, packet, PROTOCOL_ICMPV6, encodeIcmpv6(type, code, rest, quote));
}

/** Whether a packet is a message of neighbour discovery (RFC 4861, section 4). */
export const isDiscovery = ({ header, payload }: ReceivedIpv6): boolean =>
  header.nextHeader === PROTOCOL_ICMPV6 &&
  (payload[0] as number) >= ROUTER_SOLICITATION &&
  (payload[0] as number) <= REDIRECT;

function receiveTcp6(host: Host, packet: ReceivedIpv6): void {
  const tcp = decodeTcp(packet.payload);
  const segments = tcp === null ? [] : serveTcp(host, formatIpv6(packet.header.source), tcp);
  for (const segment of segments) answer(host, packet, PROTOCOL_TCP, encodeTcp(segment, 0));
}
