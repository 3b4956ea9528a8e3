/** The services of a router that run, by the names of their settings. */
import { interfacesOf, type RouterConfig } from "./config.ts";
import { DhcpRelay } from "./dhcp-relay/relay.ts";
import { Dhcpv6Server } from "./dhcpv6/server.ts";
import { Dns } from "./dns/dns.ts";
import { Flows } from "./flows/flows.ts";
import { GreTunnels } from "./gre/gre.ts";
import { PolicyRouting } from "./policy/policy-routing.ts";
import { trackedHops } from "./policy/tracked-hops.ts";
import { Rip } from "./rip/rip.ts";
import { RouteTracker } from "./routes/track.ts";
import type { SavedServices } from "./saved-services.ts";
import type { Datagram4, Datagram6, Packet4, Packet6, Service, ServiceWorld } from "./service.ts";
import { VlanBridge } from "./switching/bridge.ts";
import { Syslog } from "./syslog/syslog.ts";
import { Vrrp } from "./vrrp/vrrp.ts";
import { VxlanSegments } from "./vxlan/vxlan.ts";

interface Kind {
  readonly isOn: (config: RouterConfig) => boolean;
  readonly make: (world: ServiceWorld, saved: SavedServices) => Service;
}

const KINDS: Readonly<Record<keyof SavedServices | "dhcpRelay" | "gre" | "syslog", Kind>> = {
  bridge: {
    isOn: ({ ports }) => ports.some(({ switchport }) => switchport !== undefined),
    make: (world, { bridge }) => new VlanBridge(world, bridge),
  },
  dhcpRelay: {
    isOn: ({ dhcpRelay }) => dhcpRelay !== undefined,
    make: (world) => new DhcpRelay(world),
  },
  dhcpv6: {
    isOn: ({ dhcpv6 }) => dhcpv6 !== undefined,
    make: (world, { dhcpv6 }) => new Dhcpv6Server(world, dhcpv6),
  },
  dns: {
    isOn: ({ dns }) => dns !== undefined,
    make: (world, { dns }) => new Dns(world, dns),
  },
  pbr: {
    isOn: ({ pbrMaps }) => pbrMaps !== undefined,
    make: (world, { pbr }) => new PolicyRouting(world, pbr),
  },
  rip: {
    isOn: ({ rip }) => rip !== undefined,
    make: (world, { rip }) => new Rip(world, rip),
  },
  vrrp: {
    isOn: (config) => interfacesOf(config).some(({ vrrp }) => vrrp !== undefined),
    make: (world, { vrrp }) => new Vrrp(world, vrrp),
  },
  flows: {
    isOn: ({ flows }) => flows !== undefined,
    make: (world, { flows }) => new Flows(world, flows),
  },
  gre: {
    isOn: ({ interfaces = [] }) => interfaces.some(({ type }) => type === "gre"),
    make: (world) => new GreTunnels(world),
  },
  vxlan: {
    isOn: ({ interfaces = [] }) => interfaces.some(({ type }) => type === "vxlan"),
    make: (world, { vxlan }) => new VxlanSegments(world, vxlan),
  },
  syslog: {
    isOn: ({ syslog }) => syslog !== undefined,
    make: (world) => new Syslog(world),
  },
  track: {
    isOn: (config) =>
      config.routes.some(({ track }) => track !== undefined) || trackedHops(config).length > 0,
    make: (world, { track }) => new RouteTracker(world, track),
  },
};

export class Services {
  readonly #world: ServiceWorld;
  readonly #running = new Map<string, Service>();

  /** Creates the configured services. They neither start nor resume by themselves. */
  constructor(world: ServiceWorld, saved: SavedServices = {}) {
    this.#world = world;
    for (const [name, { isOn, make }] of Object.entries(KINDS))
      if (isOn(world.core.running)) this.#running.set(name, make(world, saved));
    world.core.whenChanged(() => this.#change());
  }

  start(): void {
    for (const service of this.#running.values()) service.start();
  }

  resume(): void {
    for (const service of this.#running.values()) service.resume();
  }

  /** @returns whether the datagram was for a service. */
  receive4(datagram: Datagram4): boolean {
    return [...this.#running.values()].some((service) => service.receive4?.(datagram));
  }

  receive6(datagram: Datagram6): boolean {
    return [...this.#running.values()].some((service) => service.receive6?.(datagram));
  }

  receivePacket4(packet: Packet4): boolean {
    return [...this.#running.values()].some((service) => service.receivePacket4?.(packet));
  }

  receivePacket6(packet: Packet6): boolean {
    return [...this.#running.values()].some((service) => service.receivePacket6?.(packet));
  }

  /** The service with a name, if it runs. The caller knows its class. */
  find<S extends Service>(name: keyof SavedServices): S | undefined {
    return this.#running.get(name) as S | undefined;
  }

  /** Undefined if no service has anything to keep. */
  save(): SavedServices | undefined {
    const saved = [...this.#running]
      .map(([name, service]) => [name, service.save()] as const)
      .filter(([, state]) => state !== undefined);
    return saved.length === 0 ? undefined : Object.fromEntries(saved);
  }

  /** In the order in which they take datagrams. */
  freeze() {
    return [...this.#running].map(([name, service]) => ({ name, held: service.freeze?.() }));
  }

  thaw(frozen: ReturnType<Services["freeze"]>): void {
    const made = new Map(this.#running);
    this.#running.clear();
    for (const { name, held } of frozen) {
      const service = made.get(name)!;
      this.#running.set(name, service);
      service.thaw?.(held);
    }
  }

  #change(): void {
    for (const [name, { isOn, make }] of Object.entries(KINDS)) {
      const service = this.#running.get(name);
      if (!isOn(this.#world.core.running)) {
        service?.stop();
        this.#running.delete(name);
      } else if (service !== undefined) service.changed();
      else {
        const added = make(this.#world, {});
        this.#running.set(name, added);
        added.start();
      }
    }
  }
}
