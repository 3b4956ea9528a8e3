/** The virtual routers of a router (VRRP version 3, RFC 5798 and RFC 9568): their messages and what they track. */

import { interfacesOf } from "../../../../net/plane/config.ts";
import type { Packet4, Packet6 } from "../../../../net/plane/delivery.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import type { VirtualAddresses } from "../../../../net/plane/virtual-addresses.ts";
import { ARP_REQUEST, encodeArp } from "../../../../wire/arp.ts";
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6, encodeEthernet } from "../../../../wire/ethernet.ts";
import { encodeNeighbour, ND_HOP_LIMIT, NEIGHBOUR_ADVERTISEMENT } from "../../../../wire/icmpv6.ts";
import { encodeIpv4, PROTOCOL_ICMPV6 } from "../../../../wire/ipv4.ts";
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import { encodeIpv6, encodeIpv6Checked } from "../../../../wire/ipv6.ts";
import { ALL_NODES, formatIpv6, parseIpv6 } from "../../../../wire/ipv6-address.ts";
import { BROADCAST_MAC, ipv4MulticastMac, ipv6MulticastMac } from "../../../../wire/mac.ts";
import {
  type Advertisement,
  decodeVrrp,
  encodeVrrp4,
  encodeVrrp6,
  isVrrpIntact4,
  isVrrpIntact6,
  PRIORITY_OWNER,
  PROTOCOL_VRRP,
  VRRP_GROUP_IPV4,
  VRRP_GROUP_IPV6,
  VRRP_HOP_LIMIT,
  virtualMac,
} from "../../../../wire/vrrp.ts";
import type { RouterCore, Service, ServiceWorld } from "../base/service.ts";
import type { VrrpSpec } from "./settings.ts";
import { type Role, type SavedVirtualRouter, VirtualRouter } from "./state-machine.ts";

/** The virtual routers by `keyOf`. */
type SavedVrrp = Readonly<Record<string, SavedVirtualRouter>>;

type Family = 4 | 6;

interface Entry {
  readonly index: number;
  readonly name: string;
  readonly family: Family;
  readonly spec: VrrpSpec;
}

/** An entry as `show vrrp` prints it. */
export interface VrrpStatus extends Entry {
  readonly port: RouterPort;
  readonly machine: VirtualRouter;
  readonly role: Role;
}

/** RFC 4861, 4.4: a router, and the address replaces a cached one. */
const FLAGS_UNSOLICITED = 0xa000_0000;
const TYPE_OF_SERVICE_CONTROL = 0xc0;
const MIN_PRIORITY = 1;

export class Vrrp implements Service {
  readonly #core: RouterCore;
  readonly #saved: SavedVrrp;
  readonly #machines = new Map<string, VirtualRouter>();
  /** What the machines run with; differs from the configuration while that changes. */
  #entries = new Map<string, Entry>();

  constructor({ core }: ServiceWorld, saved: SavedVrrp = {}) {
    this.#core = core;
    core.groups4.add(VRRP_GROUP_IPV4);
    core.groups6.add(VRRP_GROUP_IPV6);
    this.#entries = this.#configured();
    for (const key of this.#entries.keys()) this.#add(key);
    this.#saved = saved;
    // The tables of the first packets after a run need the virtual addresses.
    this.#setAddresses((key) => saved[key]?.state === "master");
  }

  start(): void {
    this.changed();
  }

  resume(): void {
    for (const [key, machine] of this.#machines) {
      const saved = this.#saved[key];
      if (saved !== undefined) machine.restore(saved);
    }
    this.changed();
  }

  stop(): void {
    for (const machine of this.#machines.values()) machine.shutdown();
    this.#core.groups4.delete(VRRP_GROUP_IPV4);
    this.#core.groups6.delete(VRRP_GROUP_IPV6);
  }

  save(): SavedVrrp {
    return Object.fromEntries([...this.#machines].map(([key, machine]) => [key, machine.save()]));
  }

  freeze() {
    return [...this.#machines].map(([key, machine]) => ({ key, machine: machine.freeze() }));
  }

  thaw(held: unknown): void {
    for (const { key, machine } of held as ReturnType<Vrrp["freeze"]>) this.#machines.get(key)?.thaw(machine);
  }

  /** Starts and stops virtual routers with their interfaces, and those that the configuration adds or removes. */
  changed(): void {
    const wanted = this.#configured();
    for (const [key, entry] of this.#entries) {
      const next = wanted.get(key);
      if (next !== undefined && hasSameAddresses(entry, next)) continue;
      this.#machines.get(key)?.shutdown();
      this.#machines.delete(key);
    }
    this.#entries = wanted;
    for (const [key, { index, family }] of wanted) {
      const machine = this.#machines.get(key) ?? this.#add(key);
      const { ipv4, ipv6 } = this.#core.tables.ports[index]!;
      if ((family === 4 ? ipv4 : ipv6) === undefined) machine.shutdown();
      else machine.startup();
    }
  }

  list(): VrrpStatus[] {
    return [...this.#entries].map(([key, entry]) => ({
      ...entry,
      port: this.#core.tables.ports[entry.index]!,
      machine: this.#machines.get(key)!,
      role: this.#roleOf(entry),
    }));
  }

  receivePacket4({ port, header, payload }: Packet4): boolean {
    if (header.protocol !== PROTOCOL_VRRP || header.target !== VRRP_GROUP_IPV4) return false;
    const { source, target, ttl } = header;
    const isIntact = ttl === VRRP_HOP_LIMIT && isVrrpIntact4(payload, source, target);
    const heard = isIntact ? decodeVrrp(payload, 4) : null;
    this.#hear(port, 4, heard, (own) => source > (own.ipv4?.address ?? 0), formatIpv4(source));
    return true;
  }

  receivePacket6({ port, header, payload }: Packet6): boolean {
    if (header.nextHeader !== PROTOCOL_VRRP || header.target !== VRRP_GROUP_IPV6) return false;
    const { source, target, hopLimit } = header;
    const isIntact = hopLimit === VRRP_HOP_LIMIT && isVrrpIntact6(payload, source, target);
    const heard = isIntact ? decodeVrrp(payload, 16) : null;
    this.#hear(port, 6, heard, (own) => source > (own.ipv6?.linkLocal ?? 0n), formatIpv6(source));
    return true;
  }

  #hear(
    port: RouterPort,
    family: Family,
    heard: Advertisement | null,
    isHigher: (own: RouterPort) => boolean,
    from: string,
  ): void {
    const machine = heard && this.#machines.get(keyOf(port.name, heard.id, family));
    if (heard === null) this.#core.drop("malformed");
    else if (!machine) this.#core.drop("notForUs");
    else {
      const { priority, intervalCs } = heard;
      machine.hear({ priority, intervalCs, hasHigherAddress: isHigher(port), from });
    }
  }

  #configured(): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    for (const [index, { name, vrrp = [] }] of interfacesOf(this.#core.running).entries()) {
      for (const spec of vrrp) {
        if (spec.ipv4) entries.set(keyOf(name, spec.id, 4), { index, name, family: 4, spec });
        if (spec.ipv6) entries.set(keyOf(name, spec.id, 6), { index, name, family: 6, spec });
      }
    }
    return entries;
  }

  #add(key: string): VirtualRouter {
    const entry = (): Entry => this.#entries.get(key)!;
    const machine = new VirtualRouter(this.#core.world, {
      role: () => this.#roleOf(entry()),
      advertise: (priority) => this.#advertise(entry(), priority),
      announce: () => this.#announce(entry()),
      changed: () => this.#setAddresses((each) => this.#machines.get(each)?.state === "master"),
    });
    this.#machines.set(key, machine);
    return machine;
  }

  #setAddresses(isMaster: (key: string) => boolean): void {
    const entries = [...this.#entries].filter(([key]) => isMaster(key)).map(([, entry]) => entry);
    this.#core.setVirtual(entries.map((entry) => addressesOf(entry, this.#roleOf(entry))));
  }

  #roleOf({ index, family, spec }: Entry): Role {
    const { ports } = this.#core.tables;
    const { intervalCs, preempt, track } = spec;
    const own = interfacesOf(this.#core.running)[index]?.[family === 4 ? "ipv4" : "ipv6"];
    const addresses = (family === 4 ? spec.ipv4 : spec.ipv6) ?? [];
    if (own !== undefined && addresses.includes(own.split("/")[0]!))
      return { priority: PRIORITY_OWNER, intervalCs, preempt };
    const tracked = track && ports.find(({ name }) => name.toLowerCase() === track.interface.toLowerCase());
    const lost = track !== undefined && !tracked?.isUp ? track.decrement : 0;
    return { priority: Math.max(MIN_PRIORITY, spec.priority - lost), intervalCs, preempt };
  }

  #advertise({ index, name, family, spec }: Entry, priority: number): void {
    const port = this.#core.tables.ports[index];
    // The interface has just been removed.
    if (port?.name !== name) return;
    const { ipv4, ipv6 } = port;
    const message = { id: spec.id, priority, intervalCs: spec.intervalCs };
    if (family === 4 && ipv4 !== undefined) {
      const source = ipv4.address;
      const fields = {
        id: this.#core.takeIpv4Id(),
        source,
        target: VRRP_GROUP_IPV4,
        protocol: PROTOCOL_VRRP,
        ttl: VRRP_HOP_LIMIT,
        typeOfService: TYPE_OF_SERVICE_CONTROL,
      };
      const [packet] = encodeIpv4(
        fields,
        encodeVrrp4(
          message,
          spec.ipv4!.map((each) => parseIpv4(each)!),
          source,
        ),
      );
      this.#send(index, spec, family, ipv4MulticastMac(VRRP_GROUP_IPV4), ETHERTYPE_IPV4, packet!);
    } else if (family === 6 && ipv6 !== undefined) {
      const source = ipv6.linkLocal;
      const fields = { source, target: VRRP_GROUP_IPV6, nextHeader: PROTOCOL_VRRP, hopLimit: VRRP_HOP_LIMIT };
      const packet = encodeIpv6(
        fields,
        encodeVrrp6(
          message,
          spec.ipv6!.map((each) => parseIpv6(each)!),
          source,
        ),
      );
      this.#send(index, spec, family, ipv6MulticastMac(VRRP_GROUP_IPV6), ETHERTYPE_IPV6, packet);
    }
  }

  /** Gratuitous ARP, or unsolicited neighbour advertisements, so that bridges and hosts learn the new place of the MAC address. */
  #announce({ index, family, spec }: Entry): void {
    const mac = virtualMac(spec.id, family === 6);
    for (const text of (family === 4 ? spec.ipv4 : spec.ipv6) ?? []) {
      if (family === 4) {
        const address = parseIpv4(text)!;
        const arp = {
          opcode: ARP_REQUEST,
          senderMac: mac,
          senderIp: address,
          targetMac: 0,
          targetIp: address,
        };
        this.#core.transmit(index, encodeArp(BROADCAST_MAC, mac, arp));
        continue;
      }
      const target = parseIpv6(text)!;
      const message = encodeNeighbour({
        type: NEIGHBOUR_ADVERTISEMENT,
        flags: FLAGS_UNSOLICITED,
        target,
        mac,
      });
      const fields = {
        source: target,
        target: ALL_NODES,
        nextHeader: PROTOCOL_ICMPV6,
        hopLimit: ND_HOP_LIMIT,
      };
      this.#send(
        index,
        spec,
        family,
        ipv6MulticastMac(ALL_NODES),
        ETHERTYPE_IPV6,
        encodeIpv6Checked(fields, message),
      );
    }
  }

  #send(
    index: number,
    { id }: VrrpSpec,
    family: Family,
    target: number,
    type: number,
    packet: Uint8Array,
  ): void {
    this.#core.counters.originated += 1;
    this.#core.transmit(index, encodeEthernet(target, virtualMac(id, family === 6), type, packet));
  }
}

const keyOf = (name: string, id: number, family: Family): string => `${name} ${id} ipv${family}`;

const hasSameAddresses = (one: Entry, other: Entry): boolean =>
  one.index === other.index &&
  JSON.stringify([one.spec.ipv4, one.spec.ipv6, one.spec.accept]) ===
    JSON.stringify([other.spec.ipv4, other.spec.ipv6, other.spec.accept]);

const addressesOf = ({ index, family, spec }: Entry, { priority }: Role): VirtualAddresses => ({
  index,
  mac: virtualMac(spec.id, family === 6),
  ipv4: family === 4 ? spec.ipv4!.map((each) => parseIpv4(each)!) : [],
  ipv6: family === 6 ? spec.ipv6!.map((each) => parseIpv6(each)!) : [],
  accepts: spec.accept || priority === PRIORITY_OWNER,
});
