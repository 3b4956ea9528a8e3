/**
 * IPv6 forwarding (RFC 8200, RFC 4443): receives packets, forwards them, or hands over those for the router.
 * A port takes part if it has an IPv6 address. Errors are sent from the packet's destination address if it is the
 * router's, else from the address of the port that received the packet.
 */

import { readU16 } from "../../base/bytes.ts";
import type { TimerKind } from "../../base/world.ts";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV6, encodeEthernet, targetMac } from "../../wire/ethernet.ts";
import {
  encodeIcmpv6,
  ICMPV6_ECHO,
  ICMPV6_TIME_EXCEEDED,
  ICMPV6_TOO_BIG,
  ICMPV6_UNREACHABLE,
} from "../../wire/icmpv6.ts";
import { PROTOCOL_ICMPV6, PROTOCOL_UDP } from "../../wire/ipv4.ts";
import {
  decodeIpv6,
  encodeIpv6Checked,
  IPV6_HEADER_BYTES,
  type Ipv6Fields,
  type Ipv6Header,
} from "../../wire/ipv6.ts";
import {
  ALL_NODES,
  ALL_ROUTERS,
  formatIpv6,
  isLinkLocal,
  isMulticastIpv6,
  solicitedNode,
} from "../../wire/ipv6-address.ts";
import { ipv6MulticastMac, isGroupMac, writeMac } from "../../wire/mac.ts";
import { MIN_IPV6_MTU_BYTES } from "../address/mtus.ts";
import type { NextHop } from "../fib/route.ts";
import { type Flow, flowOf6, flowOfOwn, wayOf } from "../packet/flow-hash.ts";
import { udpProbeAt } from "../packet/icmp-quote.ts";
import { failed, type ProbeKey, packetTooBig } from "../packet/probe.ts";
import { setDscp6 } from "../packet/set-dscp.ts";
import type { Core } from "./core.ts";
import type { DropReason } from "./counters.ts";
import type { Guard6, Passage6 } from "./guard.ts";
import { Loopback } from "./loopback.ts";
import type { NeighbourTable, WaitingFrame } from "./neighbours.ts";
import { type Interface6, type RouterPort, tooBigFor, vrfOf } from "./tables.ts";

const AT = ETHERNET_HEADER_BYTES;
const HOP_LIMIT_AT = AT + 7;
/** RFC 4443, 3.1 */
const CODE_NO_ROUTE = 0;
const CODE_PROHIBITED = 1;
const CODE_BEYOND_SCOPE = 2;
const ADDRESS_UNREACHABLE = 3;
const LINK_SCOPE = 2n;
const FIRST_INFORMATIONAL_TYPE = 128;
const REDIRECT_TYPE = 137;

export type Deliver6 = (port: RouterPort, frame: Uint8Array, header: Ipv6Header) => void;

interface Hop {
  readonly out: RouterPort;
  readonly nextHop: bigint;
  /** The code point that the packet gets. */
  readonly mark?: number | undefined;
}

/** Why a packet is not forwarded, and the error that reports it. */
interface Refusal {
  readonly reason: DropReason;
  readonly type: number;
  readonly code: number;
}

const NO_ROUTE: Refusal = { reason: "noRoute", type: ICMPV6_UNREACHABLE, code: CODE_NO_ROUTE };
const REJECTED: Refusal = { reason: "rejected", type: ICMPV6_UNREACHABLE, code: ADDRESS_UNREACHABLE };
/** A link-local source is invalid on another link (RFC 4007, section 9). */
const BEYOND_SCOPE: Refusal = { reason: "notForwarded", type: ICMPV6_UNREACHABLE, code: CODE_BEYOND_SCOPE };
const EXPIRED: Refusal = { reason: "expired", type: ICMPV6_TIME_EXCEEDED, code: 0 };
/** The word after the checksum is then the MTU of the next link. */
const TOO_BIG: Refusal = { reason: "tooBig", type: ICMPV6_TOO_BIG, code: 0 };

export class Ipv6 {
  readonly #core: Core;
  readonly #neighbours: NeighbourTable<bigint>;
  readonly #guard: Guard6;
  readonly #deliver: Deliver6;
  /** Packets from the router to itself. */
  readonly loopback: Loopback;

  constructor(core: Core, neighbours: NeighbourTable<bigint>, guard: Guard6, deliver: Deliver6) {
    this.#core = core;
    this.#neighbours = neighbours;
    this.#guard = guard;
    this.#deliver = deliver;
    this.loopback = new Loopback(core.world, (index, frame) =>
      deliver(core.tables.ports[index]!, frame, decodeIpv6(frame, AT)!),
    );
  }

  receive(port: RouterPort, frame: Uint8Array): void {
    const header = decodeIpv6(frame, AT);
    if (port.ipv6 === undefined || header === null) {
      this.#core.drop(port.ipv6 === undefined ? "notForUs" : "malformed");
      return;
    }
    const { source, target } = header;
    const toGroup = isMulticastIpv6(target);
    const isOwn = this.#isOwn(port, target) || port.virtual?.macOf6.has(target) === true;
    if (isMulticastIpv6(source) || source === 1n || this.#isOwn(port, source)) {
      this.#core.drop("badSource");
      return;
    }
    this.#core.countArrived6?.(port, frame, header);
    if (toGroup ? !this.#listensTo(port, port.ipv6, target) : isGroupMac(targetMac(frame)))
      this.#core.drop("notForwarded");
    else if (this.#guard.isOn) this.#receiveGuarded(port, toGroup || isOwn, frame, header);
    else if (toGroup || isOwn) this.#deliver(port, frame, header);
    else if (this.#core.host) this.#core.drop("notForUs");
    else this.#forward(port, frame, header);
  }

  #receiveGuarded(port: RouterPort, isForUs: boolean, frame: Uint8Array, header: Ipv6Header): void {
    const passage = this.#guard.enter(port, frame, header);
    if (passage === undefined) return;
    if (!isForUs) this.#forward(port, frame, header, passage);
    else if (this.#guard.arrive(passage)) this.#deliver(port, frame, header);
  }

  /** An access list rejects a packet. */
  reportProhibited(port: RouterPort, frame: Uint8Array, header: Ipv6Header): void {
    this.report(port, frame, header, ICMPV6_UNREACHABLE, CODE_PROHIBITED);
  }

  /**
   * Sends a packet from the router, possibly to itself. @param port for link-local and multicast targets.
   * @param timers of the resolution of the next hop.
   * @returns why the packet could not be sent; undefined if it was sent.
   */
  originate(
    fields: Ipv6Fields,
    payload: Uint8Array,
    port?: RouterPort,
    vrf = port?.vrf,
    timers: TimerKind = "foreground",
  ): string | undefined {
    const packet = encodeIpv6Checked(fields, payload);
    const { source, target, nextHeader } = fields;
    const own =
      vrfOf(this.#core.tables, vrf).own6.get(target) ?? (isOwnOfLink(port, target) ? port : undefined);
    if (own !== undefined) {
      this.#loop(own, packet);
      return undefined;
    }
    const hop =
      isLinkLocal(target) || isMulticastIpv6(target)
        ? linkHop(port, target)
        : this.#hopTo(target, vrf, () => flowOfOwn(source, target, nextHeader, payload));
    if (hop === undefined) return "no route";
    const mtuBytes = Math.min(hop.out.mtuBytes, this.#core.host?.pathMtuTo(target) ?? hop.out.mtuBytes);
    if (packet.length > mtuBytes) return tooBigFor(hop.out, mtuBytes);
    this.#core.counters.originated += 1;
    const { out, nextHop } = hop;
    if (isMulticastIpv6(target)) {
      const frame = encodeEthernet(ipv6MulticastMac(target), out.mac, ETHERTYPE_IPV6, packet);
      this.#core.transmit(out.index, frame);
    } else {
      const frame = encodeEthernet(0, out.mac, ETHERTYPE_IPV6, packet);
      if (this.#guard.isOn) this.#guard.depart(frame);
      this.#neighbours.send(out.index, nextHop, frame, undefined, timers);
    }
    return undefined;
  }

  /** The source address of a packet to `target`; undefined if there is no route. @param port as for `originate`. */
  sourceFor(target: bigint, port?: RouterPort, vrf = port?.vrf): bigint | undefined {
    if (vrfOf(this.#core.tables, vrf).own6.has(target)) return target;
    if (isOfLink(target)) return port?.ipv6?.linkLocal;
    if (isMulticastIpv6(target)) return port?.ipv6?.address;
    return this.#hopTo(target, vrf)?.out.ipv6?.address;
  }

  /** Sends an ICMPv6 error about a packet, if one may be sent about it (RFC 4443, section 2.4 e). */
  report(
    port: RouterPort,
    frame: Uint8Array,
    header: Ipv6Header,
    type: number,
    code: number,
    rest = 0,
  ): void {
    const { source, target } = header;
    if (port.ipv6 === undefined || source === 0n || isMulticastIpv6(source)) return;
    if (isMulticastIpv6(target) || isGroupMac(targetMac(frame)) || isIcmpv6Error(frame, header)) return;
    this.originate(
      {
        source: this.#reporter(port, port.ipv6, header),
        target: source,
        nextHeader: PROTOCOL_ICMPV6,
        hopLimit: this.#core.ttl,
      },
      encodeIcmpv6(type, code, rest, quoteOf(frame, header)),
      port,
    );
  }

  /** The next hop of a forwarded packet did not answer. */
  reportUnreachable({ frame, fromPort }: WaitingFrame): void {
    this.#core.drop("unreachable");
    const header = decodeIpv6(frame, AT);
    if (header === null) return;
    const port = fromPort === undefined ? undefined : this.#core.tables.ports[fromPort];
    if (port === undefined) this.#reportProbe(frame, header);
    else this.report(port, frame, header, ICMPV6_UNREACHABLE, ADDRESS_UNREACHABLE);
  }

  /** A frame from `out` is larger than the link's MTU. */
  reportTooBig(out: RouterPort, frame: Uint8Array, mtuBytes: number): void {
    const header = decodeIpv6(frame, AT);
    if (header === null) return;
    this.#core.drop("tooBig");
    if (out.ipv6 !== undefined && this.#isOwn(out, header.source)) {
      this.#core.counters.originated -= 1;
      this.#core.host?.takeTooBig(frame.subarray(AT), mtuBytes);
      this.#reportProbe(frame, header, packetTooBig(mtuBytes));
      return;
    }
    this.#core.counters.forwarded6 -= 1;
    const back = isLinkLocal(header.source) ? out : this.#hopTo(header.source, out.vrf)?.out;
    if (back) this.report(back, frame, header, ICMPV6_TOO_BIG, 0, mtuBytes);
  }

  /** A probe from the router could not be delivered. */
  #reportProbe(
    frame: Uint8Array,
    { source, hopLimit }: Ipv6Header,
    error = failed("address unreachable", "!H"),
  ): void {
    const probe = probeIn6(frame.subarray(AT));
    if (probe === undefined) return;
    const from = formatIpv6(source);
    this.#core.answer({ ...probe, from, sizeBytes: 0, ttl: hopLimit, error });
  }

  /** The packet's destination (RFC 4443, section 2.2 a), else the port's address of the sender's scope. */
  #reporter(port: RouterPort, ipv6: Interface6, { source, target }: Ipv6Header): bigint {
    if (this.#isOwn(port, target)) return target;
    return isLinkLocal(source) ? ipv6.linkLocal : ipv6.address;
  }

  #listensTo({ virtual }: RouterPort, ipv6: Interface6, group: bigint): boolean {
    if (listensTo(ipv6, group) || this.#core.groups6.has(group)) return true;
    for (const address of virtual?.macOf6.keys() ?? []) if (group === solicitedNode(address)) return true;
    return false;
  }

  #isOwn({ ipv6, vrf }: RouterPort, address: bigint): boolean {
    return address === ipv6?.linkLocal || vrfOf(this.#core.tables, vrf).own6.has(address);
  }

  /** @param flowOf called if several routes share the packets. If absent, the first of these routes is taken. */
  #hopTo(target: bigint, vrf: string | undefined, flowOf?: () => Flow<bigint>): Hop | undefined {
    return this.#hopBy(this.#routeTo(target, vrf, flowOf), target);
  }

  #routeTo(
    target: bigint,
    vrf: string | undefined,
    flowOf?: () => Flow<bigint>,
  ): NextHop<bigint> | undefined {
    const shared = vrfOf(this.#core.tables, vrf).routes6.findAll(target);
    return flowOf && shared.length > 1 ? wayOf(shared, flowOf(), this.#core.flowSeed) : shared[0];
  }

  #hopBy(route: NextHop<bigint> | undefined, target: bigint, mark?: number): Hop | undefined {
    if (route === undefined || route.reject !== undefined) return undefined;
    return { out: this.#core.tables.ports[route.port]!, nextHop: route.via ?? target, mark };
  }

  #forward(port: RouterPort, frame: Uint8Array, header: Ipv6Header, passage?: Passage6): void {
    const { source, target } = header;
    // Packets of link or node scope are not forwarded (RFC 4291, sections 2.5.2, 2.5.3 and 2.5.6).
    if (source === 0n || isLinkLocal(target) || target >> 1n === 0n) {
      this.#core.drop("notForwarded");
      return;
    }
    const choice = port.pbr === undefined ? undefined : this.#core.policy?.choose6(port, frame, header);
    const route = choice?.route ?? this.#routeTo(target, port.vrf, () => flowOf6(frame, header));
    const rejection = route?.reject;
    const hop = this.#hopBy(route, target, choice?.mark);
    const refusal = rejection === undefined ? refusalOf(header, port, hop?.out) : REJECTED;
    if (choice?.isDropped) this.#core.drop("policyDropped");
    else if (choice?.isForeign) this.#core.drop("notForwarded");
    else if (rejection === "blackhole") this.#core.drop("blackhole");
    else if (refusal !== undefined) this.#refuse(port, frame, header, refusal, hop?.out.mtuBytes);
    else if (hop !== undefined && (!passage || this.#guard.leave(passage, port, hop.out, frame, header)))
      this.#pass(port, frame, header, hop);
  }

  #pass(port: RouterPort, frame: Uint8Array, { hopLimit, payloadBytes }: Ipv6Header, hop: Hop): void {
    const { out, nextHop, mark } = hop;
    const copy = frame.slice(0, AT + IPV6_HEADER_BYTES + payloadBytes);
    writeMac(copy, 6, out.mac);
    copy[HOP_LIMIT_AT] = hopLimit - 1;
    if (mark !== undefined) setDscp6(copy, mark);
    this.#core.counters.forwarded6 += 1;
    this.#neighbours.send(out.index, nextHop, copy, port.index);
  }

  #refuse(port: RouterPort, frame: Uint8Array, header: Ipv6Header, refusal: Refusal, mtuBytes = 0): void {
    const { reason, type, code } = refusal;
    this.#core.drop(reason);
    this.report(port, frame, header, type, code, refusal === TOO_BIG ? mtuBytes : 0);
  }

  #loop(port: RouterPort, packet: Uint8Array): void {
    this.loopback.send(port.index, encodeEthernet(port.mac, port.mac, ETHERTYPE_IPV6, packet));
  }
}

function refusalOf(
  { hopLimit, payloadBytes, source }: Ipv6Header,
  port: RouterPort,
  out: RouterPort | undefined,
): Refusal | undefined {
  if (out === undefined) return NO_ROUTE;
  if (out.index !== port.index && isLinkLocal(source)) return BEYOND_SCOPE;
  if (hopLimit <= 1) return EXPIRED;
  return IPV6_HEADER_BYTES + payloadBytes > out.mtuBytes ? TOO_BIG : undefined;
}

const isOwnOfLink = (port: RouterPort | undefined, target: bigint): boolean =>
  port?.ipv6?.linkLocal === target || port?.virtual?.macOf6.has(target) === true;

const linkHop = (port: RouterPort | undefined, target: bigint): Hop | undefined =>
  port && { out: port, nextHop: target };

const listensTo = ({ address, linkLocal }: Interface6, group: bigint): boolean =>
  group === ALL_NODES ||
  group === ALL_ROUTERS ||
  group === solicitedNode(address) ||
  group === solicitedNode(linkLocal);

function isIcmpv6Error(frame: Uint8Array, { nextHeader, payloadBytes }: Ipv6Header): boolean {
  if (nextHeader !== PROTOCOL_ICMPV6) return false;
  const type = frame[AT + IPV6_HEADER_BYTES] as number;
  return payloadBytes === 0 || type < FIRST_INFORMATIONAL_TYPE || type === REDIRECT_TYPE;
}

/** The probe in a packet, which is whole or quoted by an error; undefined for other packets. */
export function probeIn6(packet: Uint8Array): ProbeKey | undefined {
  const at = IPV6_HEADER_BYTES;
  if (packet[6] === PROTOCOL_UDP) return udpProbeAt(packet, at);
  if (packet.length < at + 8 || packet[6] !== PROTOCOL_ICMPV6 || packet[at] !== ICMPV6_ECHO) return undefined;
  return { kind: "echo", id: readU16(packet, at + 4), sequence: readU16(packet, at + 6) };
}

/** Whether an address is link-local, or multicast of at most link-local scope (RFC 4291, section 2.7). */
const isOfLink = (target: bigint): boolean =>
  isLinkLocal(target) || (isMulticastIpv6(target) && ((target >> 112n) & 0xfn) <= LINK_SCOPE);

/** The first bytes of the packet, so that the error fits the smallest MTU. */
const quoteOf = (frame: Uint8Array, { payloadBytes }: Ipv6Header): Uint8Array =>
  frame.subarray(
    AT,
    AT + Math.min(IPV6_HEADER_BYTES + payloadBytes, MIN_IPV6_MTU_BYTES - IPV6_HEADER_BYTES - 8),
  );
