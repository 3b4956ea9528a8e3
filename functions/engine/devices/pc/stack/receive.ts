/**
 * Frames on their way in: those for this PC are learned from (ARP), offered to the scripts that wait, and answered.
 *
 *     frame -> for this PC? -> fragments joined -> ARP learned -> scripts -> answer
 *
 * Considered are frames to the own MAC, to all, and to IPv6 groups. Tags and unknown types are dropped. No checksum is
 * looked at. Pieces of datagrams are not remembered from run to run.
 */
import { ARP_REQUEST, decodeArp } from "../../../wire/arp.ts";
import { readU16, readU32 } from "../../../wire/bytes.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  etherType,
  sourceMac,
  targetMac,
} from "../../../wire/ethernet.ts";
import { FRAGMENTATION_NEEDED } from "../../../wire/icmp.ts";
import { decodeIpv4, PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { decodeIpv6, IPV6_HEADER_BYTES } from "../../../wire/ipv6.ts";
import { BROADCAST_MAC, isGroupMac } from "../../../wire/mac.ts";
import { Reassembly } from "../../ipv4-reassembly.ts";
import { dumpFrame } from "../commands/dump.ts";
import type { Host, Received, ReceivedArp, ReceivedIpv4, ReceivedIpv6 } from "../host.ts";
import { receiveIpv6 } from "../ipv6/receive.ts";
import type { Scripts } from "../scripts.ts";
import { answerIcmp } from "./answer-icmp.ts";
import { answerTcp } from "./answer-tcp.ts";
import { answerUdp } from "./answer-udp.ts";
import { Answers } from "./answers.ts";
import { answerArp } from "./arp.ts";
import { learnArp } from "./arp-table.ts";
import { sendUnreachable } from "./unreachable.ts";

const IPV6_GROUP_PREFIX = 0x3333;
const TWO_32 = 0x1_0000_0000;
const ALL_NODES_GROUP = 1;
const SOLICITED_NODE_GROUPS = 0xff00_0000;

export class Receiver {
  readonly #host: Host;
  readonly #scripts: Scripts;
  readonly #answers: Answers;
  readonly #reassembly = new Reassembly();

  constructor(host: Host, scripts: Scripts) {
    this.#host = host;
    this.#scripts = scripts;
    this.#answers = new Answers(host);
  }

  receive(frame: Uint8Array): void {
    if (frame.length < ETHERNET_HEADER_BYTES) return;
    dumpFrame(this.#host, frame, "received");
    const packet = this.#decode(frame);
    if (packet === undefined) return;
    if (packet.kind === "arp") learnArp(this.#host.state, packet.arp, this.#host.world.nowUs);
    if (!this.#scripts.offer(packet)) this.#answer(packet);
  }

  /** What the frame brings to this PC; undefined when it brings nothing, or nothing yet. */
  #decode(frame: Uint8Array): Received | undefined {
    const target = targetMac(frame);
    const isUnicast = target === this.#host.mac;
    if (isGroupMac(sourceMac(frame))) return undefined;
    switch (etherType(frame)) {
      case ETHERTYPE_ARP:
        if (isUnicast) return toArp(frame);
        return target === BROADCAST_MAC && !this.#asksForAnother(frame) ? toArp(frame) : undefined;
      case ETHERTYPE_IPV4:
        return isUnicast || target === BROADCAST_MAC ? this.#toIpv4(frame) : undefined;
      case ETHERTYPE_IPV6:
        return isUnicast || isHostGroup(target) ? toIpv6(frame) : undefined;
      default:
        return undefined;
    }
  }

  #toIpv4(frame: Uint8Array): ReceivedIpv4 | undefined {
    const packet = decodeIpv4Frame(frame);
    if (packet === undefined) return undefined;
    const { header } = packet;
    if (header.totalBytes > this.#host.state.mtuBytes) {
      if (this.#isOwn(header.target))
        sendUnreachable(this.#host, this.#answers, packet, FRAGMENTATION_NEEDED);
      return undefined;
    }
    if (!header.moreFragments && header.fragmentOffset === 0) return packet;
    const whole = this.#reassembly.add(frame, header, this.#host.world.nowUs);
    return whole && decodeIpv4Frame(whole);
  }

  #answer(packet: Received): void {
    if (packet.kind === "arp") answerArp(this.#host, packet);
    else if (packet.kind === "ipv6") receiveIpv6(this.#host, packet);
    else if (this.#isOwn(packet.header.target)) this.#answerIpv4(packet);
  }

  #answerIpv4(packet: ReceivedIpv4): void {
    const { protocol } = packet.header;
    if (protocol === PROTOCOL_ICMP) answerIcmp(this.#host, this.#answers, packet);
    else if (protocol === PROTOCOL_UDP) answerUdp(this.#host, this.#answers, packet);
    else if (protocol === PROTOCOL_TCP) answerTcp(this.#host, this.#answers, packet);
  }

  /** Most of what a PC on a large switch hears; nothing is learned from it. */
  #asksForAnother(frame: Uint8Array): boolean {
    const at = ETHERNET_HEADER_BYTES;
    return readU16(frame, at + 6) === ARP_REQUEST && !this.#isOwn(readU32(frame, at + 24));
  }

  #isOwn(address: number): boolean {
    return address !== 0 && address === this.#host.state.ipv4.address;
  }
}

/** The groups a host listens to: all nodes, and those of solicitations for an address (RFC 4291, 2.8). */
function isHostGroup(mac: number): boolean {
  if (Math.floor(mac / TWO_32) !== IPV6_GROUP_PREFIX) return false;
  const group = mac % TWO_32;
  return group === ALL_NODES_GROUP || group >= SOLICITED_NODE_GROUPS;
}

function toArp(frame: Uint8Array): ReceivedArp | undefined {
  const arp = decodeArp(frame);
  return arp === null
    ? undefined
    : { kind: "arp", frame, sourceMac: sourceMac(frame), targetMac: targetMac(frame), arp };
}

function decodeIpv4Frame(frame: Uint8Array): ReceivedIpv4 | undefined {
  const header = decodeIpv4(frame, ETHERNET_HEADER_BYTES);
  if (header === null) return undefined;
  const { headerBytes, totalBytes } = header;
  const payload = frame.subarray(ETHERNET_HEADER_BYTES + headerBytes, ETHERNET_HEADER_BYTES + totalBytes);
  return {
    kind: "ipv4",
    frame,
    sourceMac: sourceMac(frame),
    targetMac: targetMac(frame),
    header,
    payload,
    totalBytes,
  };
}

function toIpv6(frame: Uint8Array): ReceivedIpv6 | undefined {
  const header = decodeIpv6(frame, ETHERNET_HEADER_BYTES);
  if (header === null) return undefined;
  const start = ETHERNET_HEADER_BYTES + IPV6_HEADER_BYTES;
  const payload = frame.subarray(start, start + header.payloadBytes);
  return { kind: "ipv6", frame, sourceMac: sourceMac(frame), targetMac: targetMac(frame), header, payload };
}
