/** The configuration in the form that packets need: addresses as numbers, ports and routes by address. Rebuilt after every change. */
import { maskOf, parseIpv4 } from "../../wire/ipv4-address.ts";
import { isLinkLocal, linkLocalOf } from "../../wire/ipv6-address.ts";
import type { DhcpPoolSpec, RouterConfig, RouterPortSpec } from "./config.ts";
import { reservationTable } from "./dhcp-reservations.ts";
import { type Tunnel, tunnelKey } from "./gre/tunnel.ts";
import { type InterfaceType, portOfSubinterface, type VlanKind } from "./interfaces/spec.ts";
import { makeTrunk, type Trunk, trunkKey } from "./interfaces/tags.ts";
import {
  broadcast4,
  hasBroadcast,
  network4,
  network6,
  type Prefix4,
  type Prefix6,
  parsePrefix4,
  parsePrefix6,
} from "./prefix.ts";
import { type LearnedRoute4, type Route, RouteTable } from "./route-table.ts";
import { RIP_DISTANCE } from "./routes/route-spec.ts";
import { type IdleRoute, isRoute4, staticRoutes } from "./routes/static-routes.ts";
import { vlanOfSvi } from "./switching/svi.ts";
import { carriesVlan, makeSwitchport, type Switchport } from "./switching/switchport.ts";
import { stationAt, type VirtualAddresses, type VirtualStation } from "./vrrp/virtual-addresses.ts";
import { makeSegment, type Segment } from "./vxlan/segment.ts";

export interface RouterPort {
  /** The number of a port; the other interfaces follow the ports. */
  readonly index: number;
  readonly kind: "port" | InterfaceType;
  readonly name: string;
  /** The VRF of the interface; absent for the default table. */
  readonly vrf?: string;
  readonly mac: number;
  readonly mtuBytes: number;
  /** Whether the port sends and receives. A port that does not has no addresses here, whatever its configuration. */
  readonly isUp: boolean;
  readonly ipv4: Interface4 | undefined;
  readonly ipv6: Interface6 | undefined;
  readonly pool: Pool | undefined;
  /** Answers router solicitations. */
  readonly advertises: boolean;
  /** Present while the router is the master of a virtual router there. */
  readonly virtual?: VirtualStation;
  /** Whether a virtual router of IPv6 has its place here: only its master then answers router solicitations. */
  readonly hasVirtual6?: true;
  /** Present on a subinterface. */
  readonly trunk?: Trunk;
  /** Present on a GRE tunnel. */
  readonly tunnel?: Tunnel;
  /** Present on an interface with a map of policy routing. */
  readonly pbr?: string;
  /** Present on a switched port. */
  readonly switchport?: Switchport;
  /** Present on an SVI. */
  readonly vlan?: number;
  /** Present on a VXLAN interface. */
  readonly segment?: Segment;
  /** The index of the VXLAN interface that an interface is bridged with. */
  readonly memberOf?: number;
}

export interface Interface4 extends Prefix4 {
  readonly mask: number;
  /** The directed broadcast address; undefined if the subnet has none. */
  readonly broadcast: number | undefined;
}

export interface Interface6 extends Prefix6 {
  readonly linkLocal: bigint;
}

export interface Pool {
  readonly first: number;
  readonly last: number;
  readonly leaseSeconds: number;
  readonly dns: readonly number[];
  /** Empty when there is none. */
  readonly domain: string;
  /** Addresses for certain clients, by MAC. */
  readonly reserved: ReadonlyMap<number, number>;
}

export interface Tables extends Vrf {
  /** The ports, then the other interfaces, by index. */
  readonly ports: readonly RouterPort[];
  /** The subinterfaces, by port and tags. */
  readonly trunks: ReadonlyMap<number, RouterPort>;
  /** The GRE tunnels that are up, by `tunnelKey`. */
  readonly tunnels: ReadonlyMap<string, RouterPort>;
  /** The SVIs by VLAN. */
  readonly svis: ReadonlyMap<number, RouterPort>;
  /** The ports that have subinterfaces. */
  readonly trunkPorts: ReadonlySet<number>;
  /** The tables of the VRFs, by name. What is in this interface is that of the default one. */
  readonly vrfs: ReadonlyMap<string, Vrf>;
}

/** A table of routes, with the addresses of its interfaces. */
export interface Vrf {
  /** The router's own addresses, except link-local ones, which belong to their link. */
  readonly own4: ReadonlyMap<number, RouterPort>;
  readonly own6: ReadonlyMap<bigint, RouterPort>;
  /** Addresses that the router neither forwards to nor has: network and broadcast addresses of the connected subnets, virtual ones. */
  readonly subnetEnds: ReadonlySet<number>;
  readonly routes4: RouteTable<number>;
  readonly routes6: RouteTable<bigint>;
  /** Static routes that do not apply. */
  readonly idleRoutes: readonly IdleRoute[];
}

/** What changes the tables beside the configuration. */
export interface DynamicTables {
  /** Routes of a routing protocol, which apply where no connected or static one with a lower distance does. */
  readonly learned4: readonly LearnedRoute4[];
  /** What routes track (`trackKey`) and does not answer. */
  readonly tracksDown: ReadonlySet<string>;
  /** Addresses of virtual routers whose master the router is. */
  readonly virtual: readonly VirtualAddresses[];
}

/** Why a packet that may not be fragmented cannot leave by a port. */
export const tooBigFor = ({ name, mtuBytes }: RouterPort): string => `too big for ${name}, MTU ${mtuBytes}`;

/**
 * @param config a result of `parseRouterProperties`.
 * @param portsDown ports whose link has no carrier.
 */
export function makeTables(
  config: RouterConfig,
  baseMac: number,
  portsDown: ReadonlySet<number> = new Set(),
  dynamic: Partial<DynamicTables> = {},
): Tables {
  const physical = config.ports.map((port, index) =>
    makePort(port, index, baseMac + index, !portsDown.has(index)),
  );
  const others = (config.interfaces ?? []).map((each, index) =>
    each.type === "vlan"
      ? makeSubinterface(each, physical.length + index, physical)
      : each.type === "svi"
        ? makeSvi(each, physical.length + index, physical)
        : { ...makePort(each, physical.length + index, baseMac, true), kind: each.type },
  );
  const tunnels = makeTunnels(config, [...physical, ...others]);
  const { virtual = [] } = dynamic;
  const ports = withSegments(
    config,
    [...physical, ...others].map((port) => tunnels.get(port.index) ?? withVirtual(port, virtual)),
  );
  return {
    ports,
    tunnels: new Map(
      ports.flatMap((port) => {
        const { tunnel, isUp } = port;
        return tunnel && isUp ? [[tunnelKey(tunnel.local, tunnel.remote, tunnel.key), port] as const] : [];
      }),
    ),
    svis: new Map(ports.flatMap((port) => (port.vlan === undefined ? [] : [[port.vlan, port] as const]))),
    trunkPorts: new Set(others.flatMap(({ trunk }) => (trunk ? [trunk.port] : []))),
    trunks: new Map(ports.flatMap((port) => (port.trunk ? [[trunkKey(port.trunk), port] as const] : []))),
    vrfs: new Map(
      vrfNames(ports).map((name) => [
        name,
        makeVrf(config, ports, virtual, { ...dynamic, learned4: [] }, name),
      ]),
    ),
    ...makeVrf(config, ports, virtual, dynamic, undefined),
  };
}

/** @param name undefined finds the default table. */
export const vrfOf = (tables: Tables, name: string | undefined): Vrf =>
  name === undefined ? tables : (tables.vrfs.get(name) ?? EMPTY_VRF);

const EMPTY_VRF: Vrf = {
  own4: new Map(),
  own6: new Map(),
  subnetEnds: new Set(),
  routes4: new RouteTable<number>([], network4),
  routes6: new RouteTable<bigint>([], network6),
  idleRoutes: [],
};

const vrfNames = (ports: readonly RouterPort[]): string[] => [
  ...new Set(ports.flatMap(({ vrf }) => (vrf === undefined ? [] : [vrf]))),
];

function makeVrf(
  config: RouterConfig,
  all: readonly RouterPort[],
  allVirtual: readonly VirtualAddresses[],
  dynamic: Partial<DynamicTables>,
  name: string | undefined,
): Vrf {
  const ports = all.filter(({ vrf }) => vrf === name);
  const virtual = allVirtual.filter(({ index }) => all[index]?.vrf === name);
  const routes = config.routes.filter(({ vrf }) => vrf === name);
  return {
    own4: new Map([
      ...ports.flatMap((port) => (port.ipv4 ? [[port.ipv4.address, port] as const] : [])),
      ...accepted(virtual, ({ ipv4 }) => ipv4, all),
    ]),
    own6: new Map([
      ...ports.flatMap((port) => (port.ipv6 ? [[port.ipv6.address, port] as const] : [])),
      ...accepted(virtual, ({ ipv6 }) => ipv6.filter((address) => !isLinkLocal(address)), all),
    ]),
    subnetEnds: new Set([
      ...ports.flatMap(({ ipv4 }) => (ipv4 ? endsOf(ipv4) : [])),
      ...virtual.flatMap(({ ipv4, accepts }) => (accepts ? [] : ipv4)),
    ]),
    ...makeRoutes(routes, ports, dynamic),
  };
}

function makePort(spec: RouterPortSpec, index: number, mac: number, hasCarrier: boolean): RouterPort {
  const isUp = !spec.shutdown && hasCarrier;
  const ipv4 = isUp && spec.ipv4 !== undefined ? parsePrefix4(spec.ipv4) : null;
  const ipv6 = isUp && spec.ipv6 !== undefined ? parsePrefix6(spec.ipv6) : null;
  return {
    index,
    kind: "port",
    name: spec.name,
    mac,
    mtuBytes: spec.mtuBytes,
    isUp,
    ipv4: ipv4 ? makeInterface4(ipv4) : undefined,
    ipv6: ipv6 ? { ...ipv6, linkLocal: linkLocalOf(mac) } : undefined,
    pool: spec.dhcp && makePool(spec.dhcp),
    advertises: spec.ra,
    ...(spec.vrf !== undefined && { vrf: spec.vrf }),
    ...(spec.pbr !== undefined && { pbr: spec.pbr }),
    ...(spec.switchport && { switchport: makeSwitchport(spec.switchport) }),
    ...(spec.vrrp?.some(({ ipv6: virtual6 }) => virtual6) && { hasVirtual6: true }),
  };
}

/** A tunnel is up while the interface with its local address is. @returns the tunnels by index. */
function makeTunnels(
  { ports, interfaces = [] }: RouterConfig,
  all: readonly RouterPort[],
): ReadonlyMap<number, RouterPort> {
  const tunnels = new Map<number, RouterPort>();
  for (const [at, spec] of interfaces.entries()) {
    if (spec.type !== "gre") continue;
    const index = ports.length + at;
    const { key, ttl } = spec;
    const tunnel: Tunnel = { local: parseIpv4(spec.local)!, remote: parseIpv4(spec.remote)!, key, ttl };
    const hasLocal = all.some(
      ({ kind, vrf, ipv4 }) =>
        vrf === undefined && kind !== "gre" && kind !== "vxlan" && ipv4?.address === tunnel.local,
    );
    tunnels.set(index, { ...makePort(spec, index, all[0]!.mac, hasLocal), kind: "gre", tunnel });
  }
  return tunnels;
}

/** Adds to VXLAN interfaces their segments, and to the bridged ones where they belong. */
function withSegments(
  { ports, interfaces = [] }: RouterConfig,
  all: readonly RouterPort[],
): readonly RouterPort[] {
  if (!interfaces.some(({ type }) => type === "vxlan")) return all;
  const names = all.map(({ name }) => name);
  const segments = new Map<number, Segment>();
  const owners = new Map<number, number>();
  for (const [at, spec] of interfaces.entries()) {
    if (spec.type !== "vxlan") continue;
    const segment = makeSegment(spec, names);
    segments.set(ports.length + at, segment);
    for (const member of segment.members) owners.set(member, ports.length + at);
  }
  return all.map((port) => {
    const segment = segments.get(port.index);
    const memberOf = owners.get(port.index);
    return { ...port, ...(segment && { segment }), ...(memberOf !== undefined && { memberOf }) };
  });
}

function withVirtual(port: RouterPort, all: readonly VirtualAddresses[]): RouterPort {
  const virtual = stationAt(port.index, all);
  return virtual === undefined ? port : { ...port, virtual };
}

/** The virtual addresses that the router takes packets to, with their interfaces. */
const accepted = <A>(
  all: readonly VirtualAddresses[],
  addressesOf: (virtual: VirtualAddresses) => readonly A[],
  ports: readonly RouterPort[],
): (readonly [A, RouterPort])[] =>
  all
    .filter(({ accepts }) => accepts)
    .flatMap((each) => addressesOf(each).map((address) => [address, ports[each.index]!] as const));

/** A subinterface is up while its port is, has the port's MAC, and sends no larger packets than the port. */
function makeSubinterface(
  spec: RouterPortSpec & VlanKind,
  index: number,
  ports: readonly RouterPort[],
): RouterPort {
  const port = ports[portOfSubinterface(spec.name, ports)!]!;
  return {
    ...makePort(spec, index, port.mac, port.isUp),
    kind: spec.type,
    mtuBytes: Math.min(spec.mtuBytes, port.mtuBytes),
    trunk: makeTrunk(port.index, spec),
  };
}

/** An SVI is up while a port that carries its VLAN is. As in Linux, it has the lowest MAC of the switched ports. */
function makeSvi(spec: RouterPortSpec, index: number, ports: readonly RouterPort[]): RouterPort {
  const vlan = vlanOfSvi(spec.name)!;
  const switched = ports.filter(({ switchport }) => switchport !== undefined);
  const hasCarrier = switched.some(({ isUp, switchport }) => isUp && carriesVlan(switchport!, vlan));
  return { ...makePort(spec, index, (switched[0] ?? ports[0]!).mac, hasCarrier), kind: "svi", vlan };
}

const makeInterface4 = (ipv4: Prefix4): Interface4 => ({
  ...ipv4,
  mask: maskOf(ipv4.prefixLength),
  broadcast: hasBroadcast(ipv4) ? broadcast4(ipv4) : undefined,
});

const makePool = ({ first, last, leaseSeconds, dns, domain, reservations }: DhcpPoolSpec): Pool => ({
  first: parseIpv4(first)!,
  last: parseIpv4(last)!,
  leaseSeconds,
  dns: dns.map((server) => parseIpv4(server)!),
  domain: domain ?? "",
  reserved: reservationTable(reservations),
});

const endsOf = (ipv4: Interface4): number[] =>
  ipv4.broadcast === undefined ? [] : [network4(ipv4.address, ipv4.prefixLength), ipv4.broadcast];

function makeRoutes(
  specs: RouterConfig["routes"],
  ports: readonly RouterPort[],
  { learned4 = [], tracksDown = new Set() }: Partial<DynamicTables>,
): Pick<Tables, "routes4" | "routes6" | "idleRoutes"> {
  const routes4: Route<number>[] = [];
  const routes6: Route<bigint>[] = [];
  for (const { index, kind, ipv4, ipv6 } of ports) {
    // No host has the other addresses of a loopback interface.
    const rejected = kind === "loopback" && ({ reject: "unreachable" } as const);
    if (ipv4) routes4.push({ ...connected(ipv4, network4, index), ...rejected });
    if (ipv6) routes6.push({ ...connected(ipv6, network6, index), ...rejected });
  }
  const { active, idle } = staticRoutes(specs, ports, tracksDown);
  for (const route of active) {
    if (!isRoute4(route)) routes6.push(route);
  }
  const statics = active.filter(isRoute4);
  const isNear = ({ distance = 0 }: Route<number>): boolean => distance <= RIP_DISTANCE;
  const [near, far] = [statics.filter(isNear), statics.filter((route) => !isNear(route))];
  return {
    routes4: new RouteTable([...routes4, ...near, ...learned4, ...far], network4),
    routes6: new RouteTable(routes6, network6),
    idleRoutes: idle,
  };
}

const connected = <A>(
  { address, prefixLength }: { address: A; prefixLength: number },
  networkOf: (address: A, prefixLength: number) => A,
  port: number,
): Route<A> => ({ network: networkOf(address, prefixLength), prefixLength, port, via: undefined });
