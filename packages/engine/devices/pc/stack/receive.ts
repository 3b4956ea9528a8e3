/**
 * Receives frames: learns from those for this PC (ARP, path MTU), offers them to the waiting scripts, and answers them.
 *
 *     frame -> for this PC? -> header intact? -> within the MTU? -> fragments joined -> payload intact?
 *           -> ARP or path MTU learned -> scripts -> answer
 *
 * The PC accepts frames to its own MAC, broadcasts, and its IPv6 groups. It silently drops tagged frames, unknown types, and
 * packets with a wrong checksum of IP, ICMP, UDP or TCP. Incomplete datagrams are dropped at the end of the run.
 */

import { readU16, readU32 } from "../../../base/bytes.ts";
import { Reassembly } from "../../../net/packet/ipv4-reassembly.ts";
import { Ipv6Reassembly } from "../../../net/packet/ipv6-reassembly.ts";
import { ARP_REQUEST, decodeArp } from "../../../wire/arp.ts";
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
import { isHeaderIntact4, isPayloadIntact4, isPayloadIntact6 } from "../../../wire/intact.ts";
import {
  decodeIpv4,
  type Ipv4Header,
  PROTOCOL_ICMP,
  PROTOCOL_TCP,
  PROTOCOL_UDP,
} from "../../../wire/ipv4.ts";
import { decodeIpv6, IPV6_HEADER_BYTES, type Ipv6Header } from "../../../wire/ipv6.ts";
import { PROTOCOL_IPV6_FRAGMENT } from "../../../wire/ipv6-fragment.ts";
import { BROADCAST_MAC, isGroupMac } from "../../../wire/mac.ts";
import { dumpFrame } from "../commands/dump.ts";
import type { Host, Received, ReceivedArp, ReceivedIpv4, ReceivedIpv6 } from "../host.ts";
import { linkMtu6 } from "../ipv6/link-mtu.ts";
import { isDiscovery, receiveIpv6, refuseSize } from "../ipv6/receive.ts";
import type { Scripts } from "../scripts.ts";
import { answerIcmp } from "./answer-icmp.ts";
import { answerTcp } from "./answer-tcp.ts";
import { answerUdp } from "./answer-udp.ts";
import { Answers } from "./answers.ts";
import { answerArp } from "./arp.ts";
import { learnArp } from "./arp-table.ts";
import { learnPathMtu } from "./learn-path-mtu.ts";
import { sendUnreachable } from "./unreachable.ts";

/** Offset in the frame, including the Ethernet header. */
const IPV4_TARGET_AT = ETHERNET_HEADER_BYTES + 16;

export class Receiver {
  readonly #host: Host;
  readonly #scripts: Scripts;
  readonly #answers: Answers;
  readonly #ignoresChecksums: boolean;
  readonly #reassembly = new Reassembly();
  readonly #reassembly6 = new Ipv6Reassembly();

  constructor(host: Host, scripts: Scripts, ignoresChecksums = false) {
    this.#host = host;
    this.#scripts = scripts;
    this.#ignoresChecksums = ignoresChecksums;
    this.#answers = new Answers(host, scripts);
  }

  freeze() {
    return {
      answers: this.#answers.freeze(),
      fragments: this.#reassembly.freeze(),
      fragments6: this.#reassembly6.freeze(),
    };
  }

  thaw({ answers, fragments, fragments6 }: ReturnType<Receiver["freeze"]>): void {
    this.#answers.thaw(answers);
    this.#reassembly.thaw(fragments);
    this.#reassembly6.thaw(fragments6);
  }

  receive(frame: Uint8Array): void {
    if (frame.length < ETHERNET_HEADER_BYTES) return;
    dumpFrame(this.#host, frame, "received");
    const packet = this.#decode(frame);
    if (packet === undefined) return;
    if (packet.kind === "arp") learnArp(this.#host.state, packet.arp, this.#host.world.nowUs);
    else learnPathMtu(this.#host, packet);
    if (!this.#scripts.offer(packet)) this.#answer(packet);
  }

  /** Decodes a frame for this PC; undefined if it is not for this PC, or is a fragment of an incomplete datagram. */
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
        return isUnicast || this.#host.groupMacs.includes(target) ? this.#toIpv6(frame) : undefined;
      default:
        return undefined;
    }
  }

  #toIpv4(frame: Uint8Array): ReceivedIpv4 | undefined {
    // Only a script may accept a packet for another address, for example a DHCP client without an address.
    if (this.#scripts.count === 0 && !this.#isOwn(readU32(frame, IPV4_TARGET_AT))) return undefined;
    const packet = decodeIpv4Frame(frame);
    if (packet === undefined) return undefined;
    const { header } = packet;
    if (!this.#ignoresChecksums && !isHeaderIntact4(frame, ETHERNET_HEADER_BYTES, header)) {
      return this.#discard("wrong checksum of the IPv4 header");
    }
    if (header.totalBytes > this.#host.state.mtuBytes) {
      if (this.#isOwn(header.target))
        sendUnreachable(this.#host, this.#answers, packet, FRAGMENTATION_NEEDED);
      return this.#discard(`larger than its MTU of ${this.#host.state.mtuBytes} bytes`);
    }
    const whole = header.moreFragments || header.fragmentOffset > 0 ? this.#join(frame, header) : packet;
    if (whole === undefined || this.#isIntact4(whole)) return whole;
    return this.#discard("wrong checksum of the payload");
  }

  #discard(reason: string): undefined {
    this.#host.world.discard?.(reason);
  }

  #join(frame: Uint8Array, header: Ipv4Header): ReceivedIpv4 | undefined {
    const whole = this.#reassembly.add(frame, header, this.#host.world.nowUs);
    return whole && decodeIpv4Frame(whole);
  }

  #isIntact4({ frame, header }: ReceivedIpv4): boolean {
    return this.#ignoresChecksums || isPayloadIntact4(frame, ETHERNET_HEADER_BYTES, header);
  }

  #toIpv6(frame: Uint8Array): ReceivedIpv6 | undefined {
    const packet = decodeIpv6Frame(frame);
    if (packet === undefined) return undefined;
    const { header } = packet;
    if (IPV6_HEADER_BYTES + header.payloadBytes > linkMtu6(this.#host.state)) {
      refuseSize(this.#host, packet);
      return undefined;
    }
    const whole = header.nextHeader === PROTOCOL_IPV6_FRAGMENT ? this.#join6(frame, header) : packet;
    if (whole === undefined || this.#isIntact6(whole)) return whole;
    return this.#discard("wrong checksum of the payload");
  }

  /** Drops fragmented neighbour discovery messages (RFC 6980, section 5). */
  #join6(frame: Uint8Array, header: Ipv6Header): ReceivedIpv6 | undefined {
    const joined = this.#reassembly6.add(frame, header, this.#host.world.nowUs);
    const whole = joined && decodeIpv6Frame(joined);
    return whole === undefined || isDiscovery(whole) ? undefined : whole;
  }

  #isIntact6({ frame, header }: ReceivedIpv6): boolean {
    return this.#ignoresChecksums || isPayloadIntact6(frame, ETHERNET_HEADER_BYTES, header);
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

  /** Whether a frame is an ARP request for another host. These are frequent on a large switch; the PC learns nothing from them. */
  #asksForAnother(frame: Uint8Array): boolean {
    const at = ETHERNET_HEADER_BYTES;
    return readU16(frame, at + 6) === ARP_REQUEST && !this.#isOwn(readU32(frame, at + 24));
  }

  #isOwn(address: number): boolean {
    return address !== 0 && address === this.#host.state.ipv4.address;
  }
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

function decodeIpv6Frame(frame: Uint8Array): ReceivedIpv6 | undefined {
  const header = decodeIpv6(frame, ETHERNET_HEADER_BYTES);
  if (header === null) return undefined;
  const start = ETHERNET_HEADER_BYTES + IPV6_HEADER_BYTES;
  const payload = frame.subarray(start, start + header.payloadBytes);
  return { kind: "ipv6", frame, sourceMac: sourceMac(frame), targetMac: targetMac(frame), header, payload };
}
