/**
 * VXLAN (RFC 7348): segments of Ethernet between routers over IPv4, with head-end replication.
 *
 *     member, remote end, or the router -> learn -> known:    that member, remote end, or the router
 *                                                -> unknown:  all others (remote ends do not reach each other)
 *
 * As Linux: the router learns from every end that sends frames of the VNI, outer packets may be fragmented, and a bridged frame that is
 * larger than the MTU of where it goes is dropped without an error.
 */
import { ownValue } from "../../../../base/own-value.ts";
import { hashOf } from "../../../../net/bridge/lacp/hash.ts";
import { isReservedForBridges } from "../../../../net/bridge/reserved-macs.ts";
import type { Core } from "../../../../net/plane/core.ts";
import type { Datagram4 } from "../../../../net/plane/delivery.ts";
import type { Ipv4 } from "../../../../net/plane/ipv4.ts";
import type { Segment } from "../../../../net/plane/segment.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import { leadsIntoTunnel } from "../../../../net/plane/tunnel-loop.ts";
import { ETHERNET_HEADER_BYTES, sourceMac, targetMac } from "../../../../wire/ethernet.ts";
import { PROTOCOL_UDP } from "../../../../wire/ipv4.ts";
import { isGroupMac } from "../../../../wire/mac.ts";
import { encodeUdpUnchecked } from "../../../../wire/udp.ts";
import { packetBytes } from "../../../../wire/vlan-tag.ts";
import { decodeVxlan, encodeVxlan } from "../../../../wire/vxlan.ts";
import type { Service, ServiceWorld } from "../base/service.ts";
import { type Place, remoteOf, remotePlace, SegmentBridge } from "./bridge.ts";
import type { SavedVxlan } from "./saved.ts";

/** The dynamic ports, which RFC 7348, section 5 recommends: routers on the way then share conversations among links. */
const FIRST_SOURCE_PORT = 0xc000;
const SOURCE_PORTS = 0x4000;

type SegmentPort = RouterPort & { readonly segment: Segment };

export class VxlanSegments implements Service {
  readonly #core: Core;
  readonly #ipv4: Ipv4;
  #ports: readonly SegmentPort[] = [];
  /** By the interface's name. */
  #bridges = new Map<string, { readonly layout: string; readonly bridge: SegmentBridge }>();

  constructor({ core, ipv4 }: ServiceWorld, saved: SavedVxlan = {}) {
    this.#core = core;
    this.#ipv4 = ipv4;
    core.sendBySegment = (port, frame) => this.#send(port, frame);
    core.receiveFromMember = (member, frame) => this.#receiveFromMember(member, frame);
    this.#build(saved);
  }

  start(): void {}

  resume(): void {}

  changed(): void {
    this.#build({});
    const { ports } = this.#core.tables;
    for (const { name, segment } of this.#ports)
      for (const member of segment.members) if (!ports[member]?.isUp) this.bridge(name)?.flush(member);
  }

  stop(): void {
    this.#core.sendBySegment = undefined;
    this.#core.receiveFromMember = undefined;
  }

  /** Segments that have learned nothing are absent. */
  save(): SavedVxlan | undefined {
    const { nowUs } = this.#core.world;
    const saved = [...this.#bridges]
      .map(([name, { bridge }]) => [name, bridge.save(nowUs)] as const)
      .filter(([, macs]) => macs.length > 0);
    return saved.length === 0 ? undefined : Object.fromEntries(saved);
  }

  receive4({ header, udp, toAll }: Datagram4): boolean {
    const ports = this.#ports.filter(({ segment }) => segment.udpPort === udp.targetPort);
    if (ports.length === 0 || toAll) return false;
    const vxlan = decodeVxlan(udp.data);
    const port = vxlan && ports.find(({ segment }) => segment.vni === vxlan.vni);
    if (vxlan === null || vxlan.frame.length < ETHERNET_HEADER_BYTES) this.#core.drop("malformed");
    else if (!port?.isUp) this.#core.drop("unknownTunnel");
    else this.#pass(port, remotePlace(header.source), vxlan.frame);
    return true;
  }

  /** The VXLAN interfaces. */
  get ports(): readonly SegmentPort[] {
    return this.#ports;
  }

  /** Forgets what has been learned. */
  forget(): void {
    this.#bridges.clear();
    this.#build({});
  }

  bridge(name: string): SegmentBridge | undefined {
    return this.#bridges.get(name)?.bridge;
  }

  /** A bridge keeps what it has learned unless its members get other numbers. */
  #build(saved: SavedVxlan): void {
    this.#ports = this.#core.tables.ports.filter((port): port is SegmentPort => port.segment !== undefined);
    const before = this.#bridges;
    this.#bridges = new Map(
      this.#ports.map(({ name, segment }) => {
        const layout = JSON.stringify(segment);
        const kept = before.get(name);
        if (kept?.layout === layout) return [name, kept];
        return [name, { layout, bridge: new SegmentBridge(segment, ownValue(saved, name)) }];
      }),
    );
  }

  #receiveFromMember(member: RouterPort, frame: Uint8Array): void {
    const port = this.#ports.find(({ index }) => index === member.memberOf);
    if (port?.isUp && frame.length >= ETHERNET_HEADER_BYTES) this.#pass(port, member.index, frame);
  }

  /** Takes a frame that has come in by a place. */
  #pass(port: SegmentPort, from: Place, frame: Uint8Array): void {
    const bridge = this.bridge(port.name)!;
    const { nowUs } = this.#core.world;
    const [source, target] = [sourceMac(frame), targetMac(frame)];
    if (isGroupMac(source) || source === port.mac || isReservedForBridges(target)) {
      this.#core.drop("notForUs");
      return;
    }
    bridge.learn(source, from, nowUs);
    const isGroup = isGroupMac(target);
    const isOwn = target === port.mac || port.virtual?.macs.has(target) === true;
    if (isOwn || (isGroup && (port.ipv4 ?? port.ipv6) !== undefined)) this.#core.receiveInside(port, frame);
    if (isOwn) return;
    const known = isGroup ? undefined : bridge.find(target, nowUs);
    if (known === undefined) this.#flood(port, bridge, from, frame);
    else if (known !== from && !(remoteOf(known) !== undefined && remoteOf(from) !== undefined))
      this.#sendTo(port, known, frame, true);
  }

  /** Sends a frame of the router itself. */
  #send(port: RouterPort, frame: Uint8Array): void {
    if (port.segment === undefined) return;
    const bridge = this.bridge(port.name)!;
    const target = targetMac(frame);
    const known = isGroupMac(target) ? undefined : bridge.find(target, this.#core.world.nowUs);
    if (known === undefined) this.#flood(port as SegmentPort, bridge, undefined, frame);
    else this.#sendTo(port as SegmentPort, known, frame);
  }

  #flood(port: SegmentPort, bridge: SegmentBridge, from: Place | undefined, frame: Uint8Array): void {
    for (const place of bridge.around(from)) this.#sendTo(port, place, frame, from !== undefined);
  }

  /** @param isForwarded false for a frame of the router itself. */
  #sendTo(port: SegmentPort, place: Place, frame: Uint8Array, isForwarded = false): void {
    const remote = remoteOf(place);
    const { mtuBytes } = remote === undefined ? this.#core.tables.ports[place]! : port;
    if (packetBytes(frame) > mtuBytes) this.#core.drop("tooBig");
    else if (remote === undefined) this.#core.transmit(place, frame, isForwarded);
    else this.#sendOutside(port.segment, remote, frame);
  }

  #sendOutside({ vni, local, udpPort, ttl }: Segment, remote: number, frame: Uint8Array): void {
    if (leadsIntoTunnel(this.#core, remote)) {
      this.#core.drop("tunnelLoop");
      return;
    }
    const datagram = encodeUdpUnchecked({
      sourcePort: FIRST_SOURCE_PORT + (hashOf("port", frame) % SOURCE_PORTS),
      targetPort: udpPort,
      data: encodeVxlan({ vni, frame }),
    });
    const isThere = this.#core.tables.own4.has(local);
    const fields = { source: local, target: remote, protocol: PROTOCOL_UDP, ttl };
    if (!isThere || this.#ipv4.originate(fields, datagram) !== undefined) this.#core.drop("noRoute");
  }
}
