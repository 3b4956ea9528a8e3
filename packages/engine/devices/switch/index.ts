/**
 * An Ethernet switch: learns source addresses per VLAN, forwards to the learned port, floods frames to unknown addresses.
 *
 *     access   untagged frames belong to the port's VLAN; tagged ones are dropped, except priority tags and the port's own VLAN
 *     dot1q    tagged frames belong to their VLAN, untagged ones to the port's; sends all VLANs tagged, the port's own untagged
 *     qinq     every frame, tagged or not, belongs to the port's VLAN; on a dot1q port it gets a second tag of the port's
 *              ethertype (IEEE 802.1ad), and loses it on the way out of another qinq port
 *
 * A frame never leaves through the port on which it arrived. A frame is dropped if no other port carries its VLAN. Frames to
 * the addresses reserved for bridges (01:80:c2:00:00:0x) are not forwarded (IEEE 802.1Q, table 8-1).
 *
 * With `rstp`, ports that the spanning tree blocks neither learn nor forward.
 */

import type { FrameSlab } from "../../base/frame-slab.ts";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_VLAN, sourceMac, targetMac } from "../../wire/ethernet.ts";
import { BROADCAST_MAC, isGroupMac } from "../../wire/mac.ts";
import { popTag, pushTag, readTag, type Tag } from "../../wire/vlan-tag.ts";
import type { Device, World } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";
import { MacTable, type SavedMac } from "./mac-table.ts";
import { BRIDGE_GROUP_MAC } from "./rstp/bpdu.ts";
import { RstpBridge, type RstpReport, type RstpSpec } from "./rstp/bridge.ts";
import type { SavedRstpPort } from "./rstp/saved.ts";

export { AGEING_SECONDS } from "./mac-table.ts";

export interface SwitchPort {
  readonly type: "access" | "dot1q" | "qinq";
  readonly vlan: number;
  /** The ethertype of the outer tag for frames from a qinq port; 0x8100 on other ports. */
  readonly etherType: number;
  /** False for a port without a link: addresses learned there are unreachable. */
  readonly isWired?: boolean;
}

export interface SwitchSpec {
  readonly type: "ethernet_switch";
  readonly name: string;
  readonly ports: readonly SwitchPort[];
  /** Absent: no spanning tree. */
  readonly rstp?: RstpSpec | undefined;
}

export interface SwitchState {
  macs: SavedMac[];
  rstp?: SavedRstpPort[];
}

const RESERVED_FIRST = 0x0180_c200_0000;
const RESERVED_LAST = 0x0180_c200_000f;

/** A frame inside the switch: without the tag of its VLAN, unless it arrived on a qinq port. */
interface Inside extends Tag {
  readonly untagged: Uint8Array;
  /** The tagged frame, made once for all ports that send it. */
  tagged: Uint8Array | undefined;
}

export class EthernetSwitch implements Device {
  readonly processingNs = PROCESSING_NS.ethernet_switch;
  readonly forwards = true;
  readonly console = undefined;
  readonly #ports: readonly SwitchPort[];
  readonly #world: World;
  readonly #macs: MacTable;
  readonly #tree: RstpBridge | undefined;

  constructor(spec: SwitchSpec, world: World, state?: SwitchState) {
    this.#ports = spec.ports;
    this.#world = world;
    this.#macs = new MacTable(state?.macs.filter(([vlan, , port]) => carries(spec.ports[port], vlan)));
    if (spec.rstp === undefined) return;
    const wired = spec.ports.map(({ isWired }) => isWired !== false);
    this.#tree = new RstpBridge(spec.rstp, wired, world, (port) => this.#macs.flush(port), state?.rstp);
  }

  start(): void {
    this.#tree?.start();
  }

  resume(): void {
    this.#tree?.start();
  }

  receive(port: number, frame: Uint8Array): void {
    const ingress = this.#ports[port];
    if (ingress === undefined || frame.length < ETHERNET_HEADER_BYTES) return;
    const source = sourceMac(frame);
    const target = targetMac(frame);
    const tree = this.#tree;
    if (tree !== undefined && target === BRIDGE_GROUP_MAC) {
      tree.receive(port, frame);
      return;
    }
    if (source === BROADCAST_MAC || (target >= RESERVED_FIRST && target <= RESERVED_LAST)) return;
    const inside = classify(ingress, frame, this.#world.frames);
    if (inside === undefined) {
      this.#world.discard?.(`port ${port} does not carry VLAN ${readTag(frame)?.vlan}`);
      return;
    }
    const { vlan } = inside;
    const { nowUs } = this.#world;
    if (tree === undefined || tree.learns(port)) this.#macs.learn(vlan, source, port, nowUs);
    if (tree?.forwards(port) === false) {
      this.#world.discard?.(`the spanning tree blocks port ${port}`);
      return;
    }
    const known = isGroupMac(target) ? undefined : this.#macs.find(vlan, target, nowUs);
    if (known === undefined) this.#flood(port, inside);
    else if (known !== port) this.#forward(known, inside);
    else this.#world.discard?.(`its target is behind port ${port}, where it came from`);
  }

  linkChanged(port: number, isUp: boolean): void {
    if (!isUp) this.#macs.flush(port);
    this.#tree?.setCarrier(port, isUp);
  }

  /** The spanning tree as this switch sees it; undefined without one. */
  get rstp(): RstpReport | undefined {
    return this.#tree?.report();
  }

  get portsDown(): readonly number[] {
    return this.#tree?.portsDown ?? [];
  }

  saveState(): SwitchState {
    const macs = this.#macs.save(this.#world.nowUs);
    return this.#tree ? { macs, rstp: this.#tree.save() } : { macs };
  }

  #flood(ingress: number, inside: Inside): void {
    const { length } = this.#ports;
    let isSent = false;
    for (let port = 0; port < length; port++)
      if (port !== ingress && this.#forward(port, inside)) isSent = true;
    if (!isSent) this.#world.discard?.(`no other port carries VLAN ${inside.vlan}`);
  }

  /** Returns whether the port carries the frame's VLAN. */
  #forward(port: number, inside: Inside): boolean {
    const egress = this.#ports[port];
    if (egress === undefined || this.#tree?.forwards(port) === false) return false;
    if (egress.vlan === inside.vlan) this.#world.send(port, inside.untagged);
    else if (egress.type === "dot1q") {
      inside.tagged ??= pushTag(inside.untagged, inside, this.#world.frames);
      this.#world.send(port, inside.tagged);
    } else return false;
    return true;
  }
}

/** Returns whether addresses learned at a port in an earlier run are still valid: links and VLANs change between runs. */
export const carries = (port: SwitchPort | undefined, vlan: number): boolean =>
  port !== undefined && port.isWired !== false && (port.type === "dot1q" || port.vlan === vlan);

/** Returns the VLAN of a frame of at least 14 bytes; undefined if the port drops the frame. */
function classify(port: SwitchPort, frame: Uint8Array, frames: FrameSlab): Inside | undefined {
  const tag = port.type === "qinq" ? undefined : readTag(frame);
  if (tag === undefined) {
    const etherType = port.type === "qinq" ? port.etherType : ETHERTYPE_VLAN;
    return { etherType, priority: 0, vlan: port.vlan, untagged: frame, tagged: undefined };
  }
  const { etherType, priority } = tag;
  // VLAN 0 carries a priority only; 4095 is reserved (IEEE 802.1Q, 9.6).
  const vlan = tag.vlan === 0 ? port.vlan : tag.vlan;
  if (vlan > 4094 || (port.type === "access" && vlan !== port.vlan)) return undefined;
  const untagged = popTag(frame, frames);
  return { etherType, priority, vlan, untagged, tagged: tag.vlan === 0 ? undefined : frame };
}
