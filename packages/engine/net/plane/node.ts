/**
 * The way of a frame through a device that has a plane:
 *
 *     frame -> ARP
 *           -> IPv4 -> forward, or deliver -> echo, what is above, errors
 *           -> IPv6 -> forward, or deliver -> echo, neighbour discovery, what is above, errors
 */
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  etherType,
  sourceMac,
  targetMac,
} from "../../wire/ethernet.ts";
import { isGroupMac } from "../../wire/mac.ts";
import { receiveArp } from "./arp.ts";
import type { Core } from "./core.ts";
import type { Plane } from "./make-plane.ts";
import { type Sorted, sortByTag } from "./sort-by-tag.ts";
import type { RouterPort } from "./tables.ts";

export class PlaneNode {
  readonly #core: Core;
  readonly #plane: Plane;

  constructor(plane: Plane) {
    this.#core = plane.core;
    this.#plane = plane;
    this.#core.receiveInside = (port, frame) => this.#receiveInside(port, frame);
  }

  receive(index: number, frame: Uint8Array): void {
    const port = this.#core.tables.ports[index];
    const counters = this.#core.counters.ports[index];
    if (port === undefined || counters === undefined || !port.isUp) return;
    counters.framesIn += 1;
    counters.bytesIn += frame.length;
    if (port.switchport !== undefined) this.#core.bridge?.receive(port, frame);
    else if (this.#core.tables.trunkPorts.has(index) && frame.length >= ETHERNET_HEADER_BYTES)
      this.#receiveTagged(index, frame);
    else this.#sort(port, frame);
  }

  /** Handles a packet as if the port had the link's MTU. */
  refused(index: number, tagged: Uint8Array, mtuBytes: number): void {
    const sorted = this.#senderOf(index, tagged);
    if (sorted === undefined) return;
    const { port, frame } = sorted;
    this.#core.takeBack(index, tagged);
    if (port.index !== index) this.#core.takeBack(port.index, frame);
    if (etherType(frame) === ETHERTYPE_IPV4) this.#plane.ipv4.refit(port, frame, mtuBytes);
    else if (etherType(frame) === ETHERTYPE_IPV6) this.#plane.ipv6.reportTooBig(port, frame, mtuBytes);
  }

  /** As a real router: the port's routes and neighbours go with the carrier; leases of its DHCP server stay. */
  linkChanged(port: number, isUp: boolean): void {
    if (!this.#core.setCarrier(port, isUp) || isUp) return;
    for (const { index, trunk, kind, isUp: isStillUp } of this.#core.tables.ports) {
      const isLost = index === port || trunk?.port === port || (kind === "svi" && !isStillUp);
      if (!isLost) continue;
      this.#plane.arp.clear(index);
      this.#plane.neighbours.clear(index);
    }
  }

  get portsDown(): readonly number[] {
    return [...this.#core.portsDown];
  }

  /** The interface that has sent a frame from a port, and the frame without its tags; undefined if none has. */
  #senderOf(index: number, tagged: Uint8Array): Sorted | undefined {
    const { tables, bridge, world } = this.#core;
    const port = tables.ports[index];
    if (bridge === undefined || port?.switchport === undefined) {
      const sorted = sortByTag(tables, index, tagged, world.frames);
      return sorted?.port.memberOf === undefined ? sorted : this.#segmentOf(index, tagged, sorted);
    }
    const sender = bridge.senderOf(port, tagged);
    if (sender !== undefined) return sender;
    this.#core.takeBack(index, tagged);
    this.#core.drop("tooBig");
    return undefined;
  }

  /** A frame of the router itself is the VXLAN interface's; bridges do not report those of others. */
  #segmentOf(index: number, tagged: Uint8Array, { port, frame }: Sorted): Sorted | undefined {
    const owner = this.#core.tables.ports[port.memberOf!]!;
    if (port.index !== index) this.#core.takeBack(port.index, frame);
    if (sourceMac(frame) === owner.mac) return { port: owner, frame };
    this.#core.takeBack(index, tagged);
    this.#core.drop("tooBig");
    return undefined;
  }

  #receiveTagged(index: number, tagged: Uint8Array): void {
    const { tables, world } = this.#core;
    const sorted = sortByTag(tables, index, tagged, world.frames);
    if (sorted === undefined) {
      this.#core.drop("unknownVlan");
      return;
    }
    const { port, frame } = sorted;
    if (!port.isUp) return;
    if (port.index === index) this.#sort(port, frame);
    else this.#receiveInside(port, frame);
  }

  /** A frame for an interface that is no port. */
  #receiveInside(port: RouterPort, frame: Uint8Array): void {
    const counters = this.#core.counters.ports[port.index]!;
    counters.framesIn += 1;
    counters.bytesIn += frame.length;
    this.#sort(port, frame);
  }

  #sort(port: RouterPort, frame: Uint8Array): void {
    if (port.memberOf !== undefined) {
      this.#core.receiveFromMember?.(port, frame);
      return;
    }
    if (!isFor(port, frame)) {
      this.#core.drop("notForUs");
      return;
    }
    switch (etherType(frame)) {
      case ETHERTYPE_IPV4:
        this.#plane.ipv4.receive(port, frame);
        break;
      case ETHERTYPE_ARP:
        receiveArp(this.#plane, port, frame);
        break;
      case ETHERTYPE_IPV6:
        this.#plane.ipv6.receive(port, frame);
        break;
      default:
        this.#core.drop("notForUs");
    }
  }
}

/** Whether the frame's destination is this station, a virtual router that it is the master of, or a group. */
function isFor(port: RouterPort, frame: Uint8Array): boolean {
  if (frame.length < ETHERNET_HEADER_BYTES || isGroupMac(sourceMac(frame))) return false;
  const target = targetMac(frame);
  return target === port.mac || isGroupMac(target) || port.virtual?.macs.has(target) === true;
}
