/** Makes the tables of a configuration, after every change. The routes pass from the tables before, changed prefix by prefix. */

import { isLinkLocal } from "../../wire/ipv6-address.ts";
import { network4, network6 } from "../address/prefix.ts";
import { IPV4, IPV6 } from "../fib/address-family.ts";
import { replaceRoutes } from "../fib/replace-routes.ts";
import { Rib } from "../fib/rib.ts";
import type { Route } from "../fib/route.ts";
import type { PlaneConfig } from "./config.ts";
import { makePorts } from "./make-ports.ts";
import { isRoute4, staticRoutes } from "./static-routes.ts";
import type { DynamicTables, Interface4, RouterPort, Tables, Vrf } from "./tables.ts";
import { trunkKey } from "./tags.ts";
import { tunnelKey } from "./tunnel.ts";
import type { VirtualAddresses } from "./virtual-addresses.ts";

/**
 * @param config one that is valid.
 * @param portsDown ports whose link has no carrier.
 * @param before the tables that these replace: the new tables take over the tables of routes of `before`, which change.
 */
export function makeTables(
  config: PlaneConfig,
  baseMac: number,
  portsDown: ReadonlySet<number> = new Set(),
  dynamic: Partial<DynamicTables> = {},
  before?: Tables,
): Tables {
  const { virtual = [], tracksDown = new Set() } = dynamic;
  const ports = makePorts(config, baseMac, portsDown, virtual);
  return {
    ports,
    tunnels: new Map(
      ports.flatMap((port) => {
        const { tunnel, isUp } = port;
        return tunnel && isUp ? [[tunnelKey(tunnel.local, tunnel.remote, tunnel.key), port] as const] : [];
      }),
    ),
    svis: new Map(ports.flatMap((port) => (port.vlan === undefined ? [] : [[port.vlan, port] as const]))),
    trunkPorts: new Set(ports.flatMap(({ trunk }) => (trunk ? [trunk.port] : []))),
    trunks: new Map(ports.flatMap((port) => (port.trunk ? [[trunkKey(port.trunk), port] as const] : []))),
    vrfs: new Map(
      vrfNames(ports).map((name) => [
        name,
        makeVrf(config, ports, virtual, tracksDown, name, before?.vrfs.get(name)),
      ]),
    ),
    ...makeVrf(config, ports, virtual, tracksDown, undefined, before),
  };
}

const vrfNames = (ports: readonly RouterPort[]): string[] => [
  ...new Set(ports.flatMap(({ vrf }) => (vrf === undefined ? [] : [vrf]))),
];

function makeVrf(
  config: PlaneConfig,
  all: readonly RouterPort[],
  allVirtual: readonly VirtualAddresses[],
  tracksDown: ReadonlySet<string>,
  name: string | undefined,
  before: Vrf | undefined,
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
    ...makeRoutes(routes, ports, tracksDown, before),
  };
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

const endsOf = (ipv4: Interface4): number[] =>
  ipv4.broadcast === undefined ? [] : [network4(ipv4.address, ipv4.prefixLength), ipv4.broadcast];

function makeRoutes(
  specs: PlaneConfig["routes"],
  ports: readonly RouterPort[],
  tracksDown: ReadonlySet<string>,
  before: Vrf | undefined,
): Pick<Vrf, "routes4" | "routes6" | "configured4" | "configured6" | "idleRoutes"> {
  const { active, idle } = staticRoutes(specs, ports, tracksDown);
  const configured4 = [
    ...ports.flatMap(({ index, kind, ipv4 }) => (ipv4 ? [connected(ipv4, network4, index, kind)] : [])),
    ...active.filter(isRoute4),
  ];
  const configured6 = [
    ...ports.flatMap(({ index, kind, ipv6 }) => (ipv6 ? [connected(ipv6, network6, index, kind)] : [])),
    ...active.filter((route): route is Route<bigint> => !isRoute4(route)),
  ];
  const routes4 = before?.routes4 ?? new Rib(IPV4);
  const routes6 = before?.routes6 ?? new Rib(IPV6);
  replaceRoutes(routes4, before?.configured4 ?? [], configured4);
  replaceRoutes(routes6, before?.configured6 ?? [], configured6);
  return { routes4, routes6, configured4, configured6, idleRoutes: idle };
}

const connected = <A>(
  { address, prefixLength }: { address: A; prefixLength: number },
  networkOf: (address: A, prefixLength: number) => A,
  port: number,
  kind: RouterPort["kind"],
): Route<A> => ({
  network: networkOf(address, prefixLength),
  prefixLength,
  source: "connected",
  distance: 0,
  metric: 0,
  order: port,
  port,
  via: undefined,
  // No host has the other addresses of a loopback interface.
  ...(kind === "loopback" && { reject: "unreachable" }),
});
