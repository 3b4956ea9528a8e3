/**
 * An Ethernet switch: learns source addresses per VLAN, forwards to the learned port, floods frames to unknown addresses.
 *
 *     access   untagged frames belong to the port's VLAN; tagged ones are dropped, except priority tags and the port's own VLAN
 *     dot1q    tagged frames belong to their VLAN, untagged ones to the port's; sends all VLANs tagged, the port's own untagged
 *     qinq     every frame, tagged or not, belongs to the port's VLAN; on a dot1q port it gets a second tag of the port's
 *              ethertype (IEEE 802.1ad), and loses it on the way out of another qinq port
 *
 * A frame never leaves through the port on which it arrived. A frame is dropped if no other port carries its VLAN. Frames to
 * the addresses reserved for bridges (01:80:c2:00:00:0x) are not forwarded (IEEE 802.1Q, table 8-1), except those of a spanning tree
 * (BPDUs, 01:80:c2:00:00:00) by a switch that has none.
 *
 * With `rstp`, ports that the spanning tree blocks neither learn nor forward. What else a switch can do is in `settings/settings.ts`.
 */

import { bridgeMac } from "../../net/bridge/bridge-mac.ts";
import { IGMP } from "../../net/bridge/igmp/igmp.ts";
import { type BundleReport, Bundles, bundledWorld } from "../../net/bridge/lacp/bundles.ts";
import type { SavedMember } from "../../net/bridge/lacp/saved.ts";
import { LldpAgent, type SavedLldp } from "../../net/bridge/lldp/agent.ts";
import type { LldpNeighbourReport } from "../../net/bridge/lldp/neighbours.ts";
import { MacTable, type SavedMac } from "../../net/bridge/mac-table.ts";
import { copies, type Mirror, mirroredWorld } from "../../net/bridge/mirror.ts";
import { MLD } from "../../net/bridge/mld/mld.ts";
import { type SavedSnooping, Snooping, type SnoopingReport } from "../../net/bridge/multicast/snooping.ts";
import { carries, classify, type Inside, type SwitchPort, withBundles } from "../../net/bridge/ports.ts";
import { isReservedForBridges } from "../../net/bridge/reserved-macs.ts";
import { BRIDGE_GROUP_MAC } from "../../net/bridge/rstp/bpdu.ts";
import { RstpBridge, type RstpReport } from "../../net/bridge/rstp/bridge.ts";
import type { SavedRstpPort } from "../../net/bridge/rstp/saved.ts";
import type { SwitchSettings } from "../../net/bridge/settings/settings.ts";
import {
  type SavedStorm,
  StormGuard,
  type StormKind,
  type StormReport,
} from "../../net/bridge/storm-control.ts";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_VLAN, sourceMac, targetMac } from "../../wire/ethernet.ts";
import { isIpv4MulticastMac } from "../../wire/igmp.ts";
import { linkLocalOf } from "../../wire/ipv6-address.ts";
import { SLOW_PROTOCOLS_MAC } from "../../wire/lacp.ts";
import { LLDP_MAC } from "../../wire/lldp.ts";
import { BROADCAST_MAC, isGroupMac, isIpv6MulticastMac } from "../../wire/mac.ts";
import { packetBytes, pushTag, readTag } from "../../wire/vlan-tag.ts";
import type { Device, Frozen, World } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";

export { AGEING_SECONDS } from "../../net/bridge/mac-table.ts";
export type { SwitchPort } from "../../net/bridge/ports.ts";

export interface SwitchSpec extends SwitchSettings {
  readonly type: "ethernet_switch";
  readonly name: string;
  readonly ports: readonly SwitchPort[];
}

export interface SwitchState {
  macs: SavedMac[];
  rstp?: SavedRstpPort[];
  storm?: SavedStorm[];
  lldp?: SavedLldp;
  bundles?: SavedMember[];
  igmp?: SavedSnooping<number>;
  mld?: SavedSnooping<string>;
}

/** What a switch holds in the middle of a run. */
interface Held {
  readonly macs: ReturnType<MacTable["freeze"]>;
  readonly tree: ReturnType<RstpBridge["freeze"]> | undefined;
  readonly lldp: ReturnType<LldpAgent["freeze"]> | undefined;
  readonly igmp: ReturnType<Snooping<number, number>["freeze"]> | undefined;
  readonly mld: ReturnType<Snooping<bigint, string>["freeze"]> | undefined;
  readonly bundles: ReturnType<Bundles["freeze"]> | undefined;
}

export class EthernetSwitch implements Device {
  readonly processingNs = PROCESSING_NS.ethernet_switch;
  readonly forwards = true;
  readonly console = undefined;
  readonly #ports: readonly SwitchPort[];
  /** The ports to which frames are flooded. */
  readonly #targets: readonly number[];
  /** Sends to a bundle as to one port, and copies what a mirror copies. */
  readonly #world: World;
  readonly #macs: MacTable;
  readonly #tree: RstpBridge | undefined;
  readonly #bundles: Bundles | undefined;
  readonly #igmp: Snooping<number, number> | undefined;
  readonly #mld: Snooping<bigint, string> | undefined;
  readonly #lldp: LldpAgent | undefined;
  readonly #storm: StormGuard | undefined;
  readonly #mirror: Mirror | undefined;
  readonly #isolated: ReadonlySet<number> | undefined;
  readonly #mtu: number | undefined;

  constructor(spec: SwitchSpec, world: World, state?: SwitchState) {
    const { mirror, isolated_ports, bundles } = spec;
    const ports = withBundles(spec.ports, bundles);
    const isWired = (port: number): boolean =>
      spec.ports[port]?.isWired !== false && port !== mirror?.destination;
    this.#ports = ports;
    this.#mirror = mirror;
    const cables = mirror ? mirroredWorld(world, mirror) : world;
    const mac = bridgeMac(spec.name);
    this.#bundles =
      bundles &&
      new Bundles(
        bundles,
        mac,
        isWired,
        cables,
        (port, isUp) => this.#carrierChanged(port, isUp),
        state?.bundles,
      );
    this.#world = this.#bundles ? bundledWorld(cables, this.#bundles) : cables;
    this.#targets = [...ports.keys()].filter(
      (port) => port !== mirror?.destination && this.#firstOf(port) === port,
    );
    this.#isolated = isolated_ports && new Set(isolated_ports);
    this.#mtu = spec.mtu;
    this.#storm = spec.storm_control && new StormGuard(spec.storm_control, state?.storm);
    const takesPart = (port: number): boolean => this.#targets.includes(port);
    const learned = state?.macs.filter(([vlan, , port]) => carries(ports[port], vlan) && takesPart(port));
    this.#macs = new MacTable(learned, spec.ageing_time, spec.static_macs);
    if (spec.lldp !== undefined) {
      const cabled = [...ports.keys()].filter(isWired);
      this.#lldp = new LldpAgent(spec.lldp, { name: spec.name, mac }, cabled, cables, state?.lldp);
    }
    const around = () => ({
      world,
      mac,
      vlans: [...new Set(ports.map(({ vlan }) => vlan))].toSorted((a, b) => a - b),
      carries: (port: number, vlan: number) => carries(ports[port], vlan) && takesPart(port),
      send: (vlan: number, frame: Uint8Array, port?: number) => this.#sendOwn(vlan, frame, port),
    });
    this.#igmp = spec.igmp_snooping && new Snooping(IGMP, spec.igmp_snooping, around(), state?.igmp);
    if (spec.mld_snooping !== undefined) {
      const { querier, ...others } = spec.mld_snooping;
      const address = querier?.address === undefined ? linkLocalOf(mac) : MLD.restore(querier.address);
      const settings = { ...others, ...(querier && { querier: { ...querier, address } }) };
      this.#mld = new Snooping(MLD, settings, around(), state?.mld);
    }
    if (spec.rstp === undefined) return;
    const wired = ports.map((each, port) => each.isWired !== false && takesPart(port));
    this.#tree = new RstpBridge(
      spec.rstp,
      wired,
      this.#world,
      (port) => this.#treeChanged(port),
      state?.rstp?.filter(([port]) => takesPart(port)),
      wired.map((hasLink, port) => hasLink && this.#bundles?.isUp(port) !== false),
    );
  }

  start(): void {
    this.#lldp?.start();
    this.#bundles?.start();
    this.#tree?.start();
    this.#igmp?.start();
    this.#mld?.start();
  }

  resume(): void {
    this.start();
  }

  receive(cable: number, frame: Uint8Array): void {
    const ingress = this.#ports[cable];
    if (ingress === undefined || frame.length < ETHERNET_HEADER_BYTES) return;
    if (this.#mirror !== undefined && !this.#mirrorArrived(this.#mirror, cable, frame)) return;
    if (this.#mtu !== undefined && packetBytes(frame) > this.#mtu) {
      this.#world.discard?.(
        `its packet has ${packetBytes(frame)} bytes, more than the switch's MTU of ${this.#mtu}`,
      );
      return;
    }
    const source = sourceMac(frame);
    const target = targetMac(frame);
    // Without a spanning tree, a switch does not know the frames of one.
    if (isReservedForBridges(target) && (target !== BRIDGE_GROUP_MAC || this.#tree !== undefined)) {
      this.#receiveControl(cable, target, frame);
      return;
    }
    if (source === BROADCAST_MAC) return;
    if (this.#bundles?.collects(cable) === false) {
      this.#world.discard?.(`port ${cable} is not in use in its bundle`);
      return;
    }
    const port = this.#firstOf(cable);
    const inside = classify(ingress, frame, this.#world.frames);
    if (inside === undefined) {
      this.#world.discard?.(`port ${port} does not carry VLAN ${readTag(frame)?.vlan}`);
      return;
    }
    const { vlan } = inside;
    const tree = this.#tree;
    const { nowUs } = this.#world;
    if (tree === undefined || tree.learns(port)) this.#macs.learn(vlan, source, port, nowUs);
    if (tree?.forwards(port) === false) {
      this.#world.discard?.(`the spanning tree blocks port ${port}`);
      return;
    }
    const known = isGroupMac(target) ? undefined : this.#macs.find(vlan, target, nowUs);
    if (known === undefined) {
      if (this.#storm !== undefined && !this.#calm(this.#storm, port, target)) return;
      this.#forwardUnknown(port, target, inside);
    } else if (known === port) this.#world.discard?.(`its target is behind port ${port}, where it came from`);
    else if (this.#separates(port, known))
      this.#world.discard?.(`ports ${port} and ${known} are isolated from each other`);
    else this.#forward(known, inside);
  }

  linkChanged(port: number, isUp: boolean): void {
    this.#lldp?.setCarrier(port, isUp);
    if (this.#bundles?.has(port)) this.#bundles.setCarrier(port, isUp);
    else this.#carrierChanged(port, isUp);
  }

  /** The spanning tree as this switch sees it; undefined without one. */
  get rstp(): RstpReport | undefined {
    return this.#tree?.report();
  }

  /** Undefined without bundles. */
  get bundles(): readonly BundleReport[] | undefined {
    return this.#bundles?.report();
  }

  /** Undefined without IGMP snooping. */
  get igmp(): SnoopingReport | undefined {
    return this.#igmp?.report();
  }

  /** Undefined without MLD snooping. */
  get mld(): SnoopingReport | undefined {
    return this.#mld?.report();
  }

  /** What the switch has heard of its neighbours; undefined without LLDP. */
  get neighbours(): readonly LldpNeighbourReport[] | undefined {
    return this.#lldp?.report();
  }

  /** Limits of packets per second, and what they dropped; undefined without storm control. */
  get storm(): readonly StormReport[] | undefined {
    return this.#storm?.report();
  }

  get portsDown(): readonly number[] {
    // LLDP watches all ports; the tree sees a bundle as one port, which can be down while its ports have a carrier.
    if (this.#lldp !== undefined) return this.#lldp.portsDown;
    const ofTree = this.#tree?.portsDown ?? [];
    if (this.#bundles === undefined) return ofTree;
    return [...ofTree.filter((port) => !this.#bundles!.has(port)), ...this.#bundles.portsDown];
  }

  saveState(): SwitchState {
    return {
      macs: this.#macs.save(this.#world.nowUs),
      ...(this.#tree && { rstp: this.#tree.save() }),
      ...(this.#storm && { storm: this.#storm.save() }),
      ...(this.#lldp && { lldp: this.#lldp.save() }),
      ...(this.#igmp && { igmp: this.#igmp.save() }),
      ...(this.#mld && { mld: this.#mld.save() }),
      ...(this.#bundles && { bundles: this.#bundles.save() }),
    };
  }

  freeze(): Frozen {
    return {
      state: { macs: [], ...(this.#storm && { storm: this.#storm.save() }) } satisfies SwitchState,
      held: {
        macs: this.#macs.freeze(),
        tree: this.#tree?.freeze(),
        lldp: this.#lldp?.freeze(),
        igmp: this.#igmp?.freeze(),
        mld: this.#mld?.freeze(),
        bundles: this.#bundles?.freeze(),
      } satisfies Held,
    };
  }

  thaw(held: unknown): void {
    const { macs, tree, lldp, igmp, mld, bundles } = held as Held;
    this.#macs.thaw(macs);
    if (tree) this.#tree?.thaw(tree);
    if (lldp) this.#lldp?.thaw(lldp);
    if (igmp) this.#igmp?.thaw(igmp);
    if (mld) this.#mld?.thaw(mld);
    if (bundles) this.#bundles?.thaw(bundles);
  }

  /** Takes a frame to an address that is reserved for bridges. */
  #receiveControl(cable: number, target: number, frame: Uint8Array): void {
    if (target === SLOW_PROTOCOLS_MAC) this.#bundles?.receive(cable, frame);
    else if (target === LLDP_MAC) this.#lldp?.receive(cable, frame);
    else if (target === BRIDGE_GROUP_MAC && this.#bundles?.collects(cable) !== false)
      this.#tree?.receive(this.#firstOf(cable), frame);
  }

  /** The port that stands for a port. */
  #firstOf(port: number): number {
    return this.#bundles === undefined ? port : this.#bundles.firstOf(port);
  }

  #treeChanged(port: number): void {
    this.#macs.flush(port);
    this.#igmp?.treeChanged(port);
    this.#mld?.treeChanged(port);
  }

  #carrierChanged(port: number, isUp: boolean): void {
    if (!isUp) {
      this.#macs.flush(port);
      this.#igmp?.flush(port);
      this.#mld?.flush(port);
    }
    this.#tree?.setCarrier(port, isUp);
  }

  /** Copies a frame that arrives at a source. @returns false at the destination, which takes no frames. */
  #mirrorArrived(mirror: Mirror, port: number, frame: Uint8Array): boolean {
    if (port === mirror.destination) {
      this.#world.discard?.(`port ${port} is the destination of a mirror`);
      return false;
    }
    if (copies(mirror, port, "rx")) this.#world.send(mirror.destination, frame);
    return true;
  }

  #calm(storm: StormGuard, port: number, target: number): boolean {
    const kind: StormKind =
      target === BROADCAST_MAC ? "broadcast" : isGroupMac(target) ? "multicast" : "unknown_unicast";
    if (storm.admits(port, kind, this.#world.nowUs)) return true;
    this.#world.discard?.(
      `port ${port} has had more ${kind.replace("_", " ")} packets than storm control lets in`,
    );
    return false;
  }

  #separates(one: number, other: number): boolean {
    return this.#isolated?.has(one) === true && this.#isolated.has(other);
  }

  /** Sends a frame whose target is a group, or has not been learned. */
  #forwardUnknown(ingress: number, target: number, inside: Inside): void {
    const ports = this.#snooperOf(target)?.route(inside.vlan, ingress, inside.untagged);
    if (ports === undefined) {
      this.#flood(ingress, inside);
      return;
    }
    let isSent = false;
    for (const port of ports)
      if (port !== ingress && !this.#separates(ingress, port) && this.#forward(port, inside)) isSent = true;
    if (!isSent) this.#world.discard?.(`no other port has a member of its group or a router`);
  }

  /** What listens to frames to a group. */
  #snooperOf(target: number): Pick<Snooping<number, number>, "route"> | undefined {
    if (this.#igmp !== undefined && isIpv4MulticastMac(target)) return this.#igmp;
    return this.#mld !== undefined && isIpv6MulticastMac(target) ? this.#mld : undefined;
  }

  /** Sends a frame that the switch has made to a VLAN. @param port one port only; default all. */
  #sendOwn(vlan: number, frame: Uint8Array, port?: number): void {
    const inside = { etherType: ETHERTYPE_VLAN, priority: 0, vlan, untagged: frame, tagged: undefined };
    for (const each of port === undefined ? this.#targets : [port]) this.#forward(each, inside);
  }

  #flood(ingress: number, inside: Inside): void {
    let isSent = false;
    for (const port of this.#targets)
      if (port !== ingress && !this.#separates(ingress, port) && this.#forward(port, inside)) isSent = true;
    if (!isSent) this.#world.discard?.(`no other port carries VLAN ${inside.vlan}`);
  }

  /** Returns whether the port carries the frame's VLAN. */
  #forward(port: number, inside: Inside): boolean {
    const egress = this.#ports[port];
    if (egress === undefined || this.#tree?.forwards(port) === false) return false;
    if (this.#bundles?.isUp(port) === false) return false;
    if (egress.vlan === inside.vlan) this.#world.send(port, inside.untagged);
    else if (egress.type === "dot1q") {
      inside.tagged ??= pushTag(inside.untagged, inside, this.#world.frames);
      this.#world.send(port, inside.tagged);
    } else return false;
    return true;
  }
}
