/**
 * Switches frames between the switched ports of a router, and between these and the interfaces of the VLANs (IEEE 802.1Q, 8.6). Each
 * VLAN learns for itself. There is no spanning tree: frames to the addresses reserved for bridges end here.
 *
 *     port -> VLAN of the frame -> learn the source -> router's own MAC -> the VLAN's interface
 *                                                   -> known address    -> its port
 *                                                   -> unknown, group   -> all ports of the VLAN; a group: its interface, too
 */

import { MacTable, type SavedMac } from "../../../../net/bridge/mac-table.ts";
import { classify, type Inside } from "../../../../net/bridge/ports.ts";
import { isReservedForBridges } from "../../../../net/bridge/reserved-macs.ts";
import { BRIDGE_GROUP_MAC } from "../../../../net/bridge/rstp/bpdu.ts";
import type { Core } from "../../../../net/plane/core.ts";
import type { FrameBridge } from "../../../../net/plane/frame-bridge.ts";
import type { Sorted } from "../../../../net/plane/sort-by-tag.ts";
import { carriesVlan } from "../../../../net/plane/switchport.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_VLAN, sourceMac, targetMac } from "../../../../wire/ethernet.ts";
import { isGroupMac } from "../../../../wire/mac.ts";
import { packetBytes, pushTag } from "../../../../wire/vlan-tag.ts";
import type { Service, ServiceWorld } from "../base/service.ts";

export class VlanBridge implements Service, FrameBridge {
  readonly #core: Core;
  #macs: MacTable;

  constructor({ core }: ServiceWorld, saved: readonly SavedMac[] = []) {
    this.#core = core;
    this.#macs = new MacTable(saved.filter((entry) => this.#isValid(entry)));
    core.bridge = this;
  }

  start(): void {}

  resume(): void {}

  /** Forgets the addresses behind ports that are down, or that have left the VLAN. */
  changed(): void {
    const kept = this.macs().filter((entry) => this.#isValid(entry));
    this.#macs = new MacTable(kept);
  }

  stop(): void {
    this.#core.bridge = undefined;
  }

  save(): readonly SavedMac[] | undefined {
    const macs = this.macs();
    return macs.length === 0 ? undefined : macs;
  }

  macs(): readonly SavedMac[] {
    return this.#macs.save(this.#core.world.nowUs);
  }

  clear(): void {
    this.#macs = new MacTable();
  }

  receive(ingress: RouterPort, frame: Uint8Array): void {
    const { frames, nowUs } = this.#core.world;
    if (frame.length < ETHERNET_HEADER_BYTES || isGroupMac(sourceMac(frame))) {
      this.#core.drop("malformed");
      return;
    }
    const target = targetMac(frame);
    // The switched ports have no spanning tree, so its frames pass like others.
    const isOfTree = target === BRIDGE_GROUP_MAC;
    if (isReservedForBridges(target) && !isOfTree) {
      this.#core.drop("notForUs");
      return;
    }
    const inside = classify(ingress.switchport!.port, frame, frames);
    if (inside === undefined || !carriesVlan(ingress.switchport!, inside.vlan)) {
      this.#core.drop("vlanNotCarried");
      return;
    }
    const svi = this.#core.tables.svis.get(inside.vlan);
    this.#macs.learn(inside.vlan, sourceMac(frame), ingress.index, nowUs);
    if (isGroupMac(target)) {
      this.#flood(ingress.index, inside);
      if (svi?.isUp && !isOfTree) this.#core.receiveInside(svi, inside.untagged);
    } else if (svi?.isUp && isOwn(svi, target)) this.#core.receiveInside(svi, inside.untagged);
    else this.#forward(ingress.index, target, inside);
  }

  send(svi: RouterPort, untagged: Uint8Array): void {
    const inside = { etherType: ETHERTYPE_VLAN, priority: 0, vlan: svi.vlan!, untagged, tagged: undefined };
    this.#forward(undefined, targetMac(untagged), inside);
  }

  senderOf({ switchport }: RouterPort, frame: Uint8Array): Sorted | undefined {
    const inside = switchport && classify(switchport.port, frame, this.#core.world.frames);
    const port = inside && this.#core.tables.svis.get(inside.vlan);
    return port && isOwn(port, sourceMac(frame)) ? { port, frame: inside.untagged } : undefined;
  }

  /** @param from undefined for a frame of the router. */
  #forward(from: number | undefined, target: number, inside: Inside): void {
    const { tables, world } = this.#core;
    const known = isGroupMac(target) ? undefined : this.#macs.find(inside.vlan, target, world.nowUs);
    if (known === undefined) this.#flood(from, inside);
    else if (known !== from) this.#transmit(tables.ports[known]!, inside, from !== undefined);
    else world.discard?.(`its target is behind ${tables.ports[known]!.name}, where it came from`);
  }

  #flood(from: number | undefined, inside: Inside): void {
    for (const port of this.#core.tables.ports)
      if (port.isUp && port.index !== from && port.switchport && carriesVlan(port.switchport, inside.vlan))
        this.#transmit(port, inside, from !== undefined);
  }

  /** @param port one that carries the frame's VLAN. */
  #transmit({ index, mtuBytes, switchport }: RouterPort, inside: Inside, isForwarded: boolean): void {
    if (packetBytes(inside.untagged) > mtuBytes) {
      this.#core.drop("tooBig");
      return;
    }
    if (switchport!.port.vlan !== inside.vlan)
      inside.tagged ??= pushTag(inside.untagged, inside, this.#core.world.frames);
    this.#core.transmit(
      index,
      switchport!.port.vlan === inside.vlan ? inside.untagged : (inside.tagged as Uint8Array),
      isForwarded,
    );
  }

  #isValid([vlan, , index]: SavedMac): boolean {
    const port = this.#core.tables.ports[index];
    return port?.isUp === true && port.switchport !== undefined && carriesVlan(port.switchport, vlan);
  }
}

const isOwn = ({ mac, virtual }: RouterPort, address: number): boolean =>
  address === mac || virtual?.macs.has(address) === true;

declare module "../base/service.ts" {
  interface SavedServices {
    /** The addresses that switched ports have learned. */
    readonly bridge?: readonly SavedMac[];
  }
}
