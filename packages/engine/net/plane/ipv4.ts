/**
 * IPv4 forwarding (RFC 1812): receives packets, forwards them, or hands over those for the router itself.
 *
 *     frame -> header valid? -> source valid? -> ours:  deliver
 *                                             -> else:  route -> TTL -> MTU -> neighbour -> out
 *
 * Errors are sent from the address of the port that received the packet. Redirects are not sent.
 */
import { readU16, writeU16 } from "../../base/bytes.ts";
import { updateChecksum } from "../../base/checksum.ts";
import type { TimerKind } from "../../base/world.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  encodeEthernet,
  targetMac,
  writeEthernetHeader,
} from "../../wire/ethernet.ts";
import {
  ADMINISTRATIVELY_PROHIBITED,
  encodeIcmp,
  FRAGMENTATION_NEEDED,
  ICMP_TIME_EXCEEDED,
  ICMP_UNREACHABLE,
  UNREACHABLE_HOST,
  UNREACHABLE_NETWORK,
} from "../../wire/icmp.ts";
import { isHeaderIntact4 } from "../../wire/intact.ts";
import {
  decodeIpv4,
  encodeIpv4,
  IPV4_HEADER_BYTES,
  type Ipv4Fields,
  type Ipv4Header,
  PROTOCOL_ICMP,
} from "../../wire/ipv4.ts";
import { BROADCAST_IPV4, formatIpv4, isHostAddress, isMulticastIpv4 } from "../../wire/ipv4-address.ts";
import { BROADCAST_MAC, ipv4MulticastMac, isGroupMac, writeMac } from "../../wire/mac.ts";
import { isForwardable4, isLinkLocal4 } from "../address/ipv4-address-kinds.ts";
import type { NextHop } from "../fib/route.ts";
import { type Flow, flowOf4, flowOfOwn, wayOf } from "../packet/flow-hash.ts";
import { fragmentIpv4 } from "../packet/fragment-ipv4.ts";
import { mayCauseError, probeIn, quoteOf } from "../packet/icmp-quote.ts";
import { failed, fragmentationNeeded } from "../packet/probe.ts";
import { setDscp4 } from "../packet/set-dscp.ts";
import type { Core } from "./core.ts";
import type { DropReason } from "./counters.ts";
import type { Guard4, Passage4 } from "./guard.ts";
import { Loopback } from "./loopback.ts";
import type { NeighbourTable, WaitingFrame } from "./neighbours.ts";
import { type RouterPort, tooBigFor, type Vrf, vrfOf } from "./tables.ts";

const AT = ETHERNET_HEADER_BYTES;
const TTL_AT = AT + 8;
const CHECKSUM_AT = AT + 10;
/** RFC 1812, 4.3.2.5: errors have the precedence of internetwork control. */
const ERROR_TYPE_OF_SERVICE = 0xc0;

/** Takes packets for the router itself. `toAll`: it was a broadcast. Broadcasts are not answered, except for DHCP clients. */
export type Deliver4 = (port: RouterPort, frame: Uint8Array, header: Ipv4Header, toAll: boolean) => void;

interface Hop {
  readonly out: RouterPort;
  readonly nextHop: number;
  /** The code point that the packet gets. */
  readonly mark?: number | undefined;
}

/** Why a packet is not forwarded, and the error that reports it. */
interface Refusal {
  readonly reason: DropReason;
  readonly type: number;
  readonly code: number;
}

const NO_ROUTE: Refusal = { reason: "noRoute", type: ICMP_UNREACHABLE, code: UNREACHABLE_NETWORK };
/** As Linux: a host of an unreachable route is unreachable. */
const REJECTED: Refusal = { reason: "rejected", type: ICMP_UNREACHABLE, code: UNREACHABLE_HOST };
const EXPIRED: Refusal = { reason: "expired", type: ICMP_TIME_EXCEEDED, code: 0 };
/** The word after the checksum is then the MTU of the next link (RFC 1191, section 4). */
const TOO_BIG: Refusal = { reason: "tooBig", type: ICMP_UNREACHABLE, code: FRAGMENTATION_NEEDED };

export class Ipv4 {
  readonly #core: Core;
  readonly #arp: NeighbourTable<number>;
  readonly #guard: Guard4;
  readonly #deliver: Deliver4;
  /** Packets from the router to itself. */
  readonly loopback: Loopback;

  constructor(core: Core, arp: NeighbourTable<number>, guard: Guard4, deliver: Deliver4) {
    this.#core = core;
    this.#arp = arp;
    this.#guard = guard;
    this.#deliver = deliver;
    this.loopback = new Loopback(core.world, (index, frame) =>
      deliver(core.tables.ports[index]!, frame, decodeIpv4(frame, AT)!, false),
    );
  }

  receive(port: RouterPort, frame: Uint8Array): void {
    const header = decodeIpv4(frame, AT);
    const toAll = header !== null && this.#isForAll(port, header.target);
    const flaw = header === null ? "malformed" : this.#flawOf(port, frame, header, toAll);
    if (header === null || flaw !== undefined) {
      this.#core.drop(flaw ?? "malformed");
      return;
    }
    this.#core.countArrived4?.(port, frame, header);
    if (this.#guard.isOn) this.#receiveGuarded(port, frame, header, toAll);
    else if (toAll || this.#vrf(port).own4.has(header.target)) this.#deliver(port, frame, header, toAll);
    else if (this.#core.host) this.#core.drop("notForUs");
    else this.#forward(port, frame, header);
  }

  #receiveGuarded(port: RouterPort, frame: Uint8Array, header: Ipv4Header, toAll: boolean): void {
    const passage = this.#guard.enter(port, frame, header, toAll);
    if (passage === undefined) return;
    const isOwn = toAll || this.#vrf(port).own4.has(passage.header.target);
    if (!isOwn && this.#core.host) this.#core.drop("notForUs");
    else if (!isOwn) this.#forward(port, passage.frame, passage.header, passage);
    else if (this.#guard.arrive(passage)) this.#deliver(port, passage.frame, passage.header, toAll);
  }

  /** An access list rejects a packet. */
  reportProhibited(port: RouterPort, frame: Uint8Array, header: Ipv4Header): void {
    this.report(port, frame, header, ICMP_UNREACHABLE, ADMINISTRATIVELY_PROHIBITED);
  }

  /**
   * Sends a packet from the router, possibly to itself.
   * @param port for targets without a route: link-local ones, and 255.255.255.255.
   * @param vrf the name of the table of routes; undefined for the default one.
   * @param timers of the resolution of the next hop.
   * @returns why the packet could not be sent; undefined if it was sent.
   */
  originate(
    fields: Ipv4Fields,
    payload: Uint8Array,
    port?: RouterPort,
    vrf = port?.vrf,
    timers: TimerKind = "foreground",
  ): string | undefined {
    const own = vrfOf(this.#core.tables, vrf).own4.get(fields.target);
    if (own !== undefined) {
      this.#loop(own, fields, payload);
      return undefined;
    }
    const { source, target, protocol } = fields;
    const hop = this.#hopTo(target, port, vrf, () => flowOfOwn(source, target, protocol, payload));
    if (hop === undefined) return "no route";
    const { out, nextHop } = hop;
    const mtuBytes = Math.min(out.mtuBytes, this.#core.host?.pathMtuTo(fields.target) ?? out.mtuBytes);
    if (fields.dontFragment && IPV4_HEADER_BYTES + payload.length > mtuBytes) return tooBigFor(out, mtuBytes);
    const id = this.#core.takeIpv4Id();
    const group = isBroadcastOn(out, nextHop) ? BROADCAST_MAC : groupMacOf(nextHop);
    if (this.#guard.isOn && group === undefined) {
      this.#sendGuarded(hop, { id, ...fields }, payload, mtuBytes, timers);
      return undefined;
    }
    for (const packet of encodeIpv4({ id, ...fields }, payload, mtuBytes)) {
      this.#core.counters.originated += 1;
      if (group !== undefined)
        this.#core.transmit(out.index, encodeEthernet(group, out.mac, ETHERTYPE_IPV4, packet));
      else
        this.#arp.send(
          out.index,
          nextHop,
          encodeEthernet(0, out.mac, ETHERTYPE_IPV4, packet),
          undefined,
          timers,
        );
    }
    return undefined;
  }

  /** The guard sees the whole packet, before it is cut into fragments. */
  #sendGuarded(
    { out, nextHop }: Hop,
    fields: Ipv4Fields,
    payload: Uint8Array,
    mtuBytes: number,
    timers: TimerKind,
  ): void {
    const [packet] = encodeIpv4(fields, payload);
    const frame = encodeEthernet(0, out.mac, ETHERTYPE_IPV4, packet!);
    this.#guard.depart(frame);
    const frames = packet!.length <= mtuBytes ? [frame] : fragmentIpv4(frame, mtuBytes);
    for (const each of frames) {
      this.#core.counters.originated += 1;
      this.#arp.send(out.index, nextHop, each, undefined, timers);
    }
  }

  /** The source address of a packet to `target`; undefined if there is no route. @param port as for `originate`. */
  sourceFor(target: number, port?: RouterPort, vrf = port?.vrf): number | undefined {
    if (vrfOf(this.#core.tables, vrf).own4.has(target)) return target;
    return this.#hopTo(target, port, vrf)?.out.ipv4?.address;
  }

  /** Sends an ICMP error about a packet, if one may be sent about it. @param rest the word after the checksum. */
  report(
    port: RouterPort,
    frame: Uint8Array,
    header: Ipv4Header,
    type: number,
    code: number,
    rest = 0,
  ): void {
    const source = port.ipv4?.address ?? this.#vrf(port).own4.keys().next().value;
    if (source === undefined || !mayCauseError(frame, header)) return;
    this.originate(
      {
        source,
        target: header.source,
        protocol: PROTOCOL_ICMP,
        ttl: this.#core.ttl,
        typeOfService: ERROR_TYPE_OF_SERVICE,
      },
      encodeIcmp(type, code, rest, quoteOf(frame, header)),
      undefined,
      port.vrf,
    );
  }

  /** The next hop of a forwarded packet did not answer. */
  reportUnreachable({ frame, fromPort }: WaitingFrame): void {
    this.#core.drop("unreachable");
    const sent = this.#sentAs(frame);
    if (sent === undefined) return;
    if (fromPort === undefined) this.#reportProbe(sent.frame, sent.header);
    else {
      const port = this.#core.tables.ports[fromPort]!;
      this.report(port, sent.frame, sent.header, ICMP_UNREACHABLE, UNREACHABLE_HOST);
    }
  }

  /** A frame from `out` is larger than the link's MTU: sends it in fragments, or reports it. */
  refit(out: RouterPort, frame: Uint8Array, mtuBytes: number): void {
    const header = decodeIpv4(frame, AT);
    if (header === null) return;
    if (!header.dontFragment) {
      for (const fragment of fragmentIpv4(frame, mtuBytes)) this.#core.transmit(out.index, fragment);
      return;
    }
    this.#core.drop("tooBig");
    const sent = this.#sentAs(frame)!;
    if (this.#vrf(out).own4.has(sent.header.source)) {
      this.#core.counters.originated -= 1;
      (this.#core.host ?? this.#core.tcp4)?.takeTooBig(sent.frame.subarray(AT), mtuBytes);
      this.#reportProbe(sent.frame, sent.header, fragmentationNeeded(mtuBytes));
      return;
    }
    this.#core.counters.forwarded4 -= 1;
    // RFC 1812, 4.3.2.4: the source is an address of the port that sends the error.
    const back = this.#hopTo(sent.header.source, undefined, out.vrf)?.out;
    if (back) this.report(back, sent.frame, sent.header, ICMP_UNREACHABLE, FRAGMENTATION_NEEDED, mtuBytes);
  }

  /** A packet that was to leave, as its sender knows it: without translation. */
  #sentAs(frame: Uint8Array): { readonly frame: Uint8Array; readonly header: Ipv4Header } | undefined {
    const header = decodeIpv4(frame, AT);
    return header === null ? undefined : (this.#guard.restore(frame) ?? { frame, header });
  }

  /** A probe from the router could not be delivered. */
  #reportProbe(
    frame: Uint8Array,
    { source, ttl }: Ipv4Header,
    error = failed("host unreachable", "!H"),
  ): void {
    const probe = probeIn(frame.subarray(AT));
    if (probe === undefined) return;
    this.#core.answer({ ...probe, from: formatIpv4(source), sizeBytes: 0, ttl, error });
  }

  /** The table of routes of an interface. */
  #vrf({ vrf }: RouterPort): Vrf {
    return vrfOf(this.#core.tables, vrf);
  }

  /** @param flowOf called if several routes share the packets. If absent, the first of these routes is taken. */
  #hopTo(
    target: number,
    port: RouterPort | undefined,
    vrf: string | undefined,
    flowOf?: () => Flow<number>,
  ): Hop | undefined {
    const { ports } = this.#core.tables;
    const { routes4, subnetEnds } = vrfOf(this.#core.tables, vrf);
    const isBroadcast = (each: RouterPort): boolean => each.vrf === vrf && isBroadcastOn(each, target);
    const out = port ?? (subnetEnds.has(target) ? ports.find(isBroadcast) : undefined);
    if (out !== undefined) return { out, nextHop: target };
    const route = this.#routeOf(routes4.findAll(target), flowOf);
    if (route?.reject !== undefined) return undefined;
    return route && { out: ports[route.port]!, nextHop: route.via ?? target };
  }

  /** Why a packet is dropped without an error. */
  #flawOf(port: RouterPort, frame: Uint8Array, header: Ipv4Header, toAll: boolean): DropReason | undefined {
    if (!isHeaderIntact4(frame, AT, header)) return "badChecksum";
    if (!toAll && isGroupMac(targetMac(frame))) return "notForwarded";
    // A client without an address broadcasts from 0.0.0.0.
    return this.#isPossibleSource(port, header.source) || (toAll && header.source === 0)
      ? undefined
      : "badSource";
  }

  /** Whether a target is a broadcast address of the port, or a group that the router has joined. */
  #isForAll(port: RouterPort, target: number): boolean {
    return isBroadcastOn(port, target) || this.#core.groups4.has(target);
  }

  #isPossibleSource(port: RouterPort, source: number): boolean {
    const { own4, subnetEnds } = this.#vrf(port);
    return isHostAddress(source) && !own4.has(source) && !subnetEnds.has(source);
  }

  #forward(port: RouterPort, frame: Uint8Array, header: Ipv4Header, passage?: Passage4): void {
    const { tables } = this.#core;
    const { routes4, subnetEnds } = this.#vrf(port);
    const { source, target } = header;
    if (!isForwardable4(target) || isLinkLocal4(source) || subnetEnds.has(target)) {
      this.#core.drop("notForwarded");
      return;
    }
    const choice = port.pbr === undefined ? undefined : this.#core.policy?.choose4(port, frame, header);
    const route = choice?.route ?? this.#routeOf(routes4.findAll(target), () => flowOf4(frame, header));
    const out = route && tables.ports[route.port];
    const refusal = route?.reject === undefined ? refusalOf(header, out) : REJECTED;
    if (choice?.isDropped) this.#core.drop("policyDropped");
    else if (choice?.isForeign) this.#core.drop("notForwarded");
    else if (route?.reject === "blackhole") this.#core.drop("blackhole");
    else if (refusal !== undefined) {
      const sent = passage?.sent ?? { frame, header };
      this.#refuse(port, sent.frame, sent.header, refusal, out?.mtuBytes);
    } else if (out !== undefined)
      this.#pass(port, frame, header, { out, nextHop: route?.via ?? target, mark: choice?.mark }, passage);
  }

  #routeOf(shared: readonly NextHop<number>[], flowOf?: () => Flow<number>): NextHop<number> | undefined {
    return flowOf && shared.length > 1 ? wayOf(shared, flowOf(), this.#core.flowSeed) : shared[0];
  }

  #pass(
    port: RouterPort,
    frame: Uint8Array,
    header: Ipv4Header,
    { out, nextHop, mark }: Hop,
    passage: Passage4 | undefined,
  ): void {
    // The only copy, which drops the frame's padding.
    const copy = this.#core.world.frames.copy(frame.subarray(0, AT + header.totalBytes));
    writeMac(copy, 6, out.mac);
    decrementTtl(copy);
    if (mark !== undefined) setDscp4(copy, mark);
    if (passage !== undefined && !this.#guard.leave(passage, port, out, copy)) return;
    this.#core.counters.forwarded4 += 1;
    const sizeBytes = Math.min(out.mtuBytes, passage?.fragmentBytes ?? out.mtuBytes);
    if (header.totalBytes <= sizeBytes) this.#arp.send(out.index, nextHop, copy, port.index);
    else
      for (const fragment of fragmentIpv4(copy, sizeBytes))
        this.#arp.send(out.index, nextHop, fragment, port.index);
  }

  #refuse(port: RouterPort, frame: Uint8Array, header: Ipv4Header, refusal: Refusal, mtuBytes = 0): void {
    const { reason, type, code } = refusal;
    this.#core.drop(reason);
    this.report(port, frame, header, type, code, refusal === TOO_BIG ? mtuBytes : 0);
  }

  #loop(port: RouterPort, fields: Ipv4Fields, payload: Uint8Array): void {
    const [packet] = encodeIpv4({ id: this.#core.takeIpv4Id(), ...fields }, payload);
    const frame = new Uint8Array(AT + packet!.length);
    writeEthernetHeader(frame, port.mac, port.mac, ETHERTYPE_IPV4);
    frame.set(packet!, AT);
    this.loopback.send(port.index, frame);
  }
}

const isBroadcastOn = ({ ipv4 }: RouterPort, target: number): boolean =>
  target === BROADCAST_IPV4 || (ipv4 !== undefined && target === ipv4.broadcast);

const groupMacOf = (target: number): number | undefined =>
  isMulticastIpv4(target) ? ipv4MulticastMac(target) : undefined;

function refusalOf(header: Ipv4Header, out: RouterPort | undefined): Refusal | undefined {
  if (out === undefined) return NO_ROUTE;
  if (header.ttl <= 1) return EXPIRED;
  return header.totalBytes > out.mtuBytes && header.dontFragment ? TOO_BIG : undefined;
}

function decrementTtl(frame: Uint8Array): void {
  const before = readU16(frame, TTL_AT);
  const after = before - 0x100;
  writeU16(frame, TTL_AT, after);
  writeU16(frame, CHECKSUM_AT, updateChecksum(readU16(frame, CHECKSUM_AT), before, after));
}
