/** Makes the tables of a configuration. They are rebuilt after every change. */
import { isLinkLocal } from "../../wire/ipv6-address.ts";
import type { RouterConfig } from "./config.ts";
import { tunnelKey } from "./gre/tunnel.ts";
import { trunkKey } from "./interfaces/tags.ts";
import { makePorts } from "./make-ports.ts";
import { network4, network6 } from "./prefix.ts";
import { type Route, RouteTable } from "./route-table.ts";
import { RIP_DISTANCE } from "./routes/route-spec.ts";
import { isRoute4, staticRoutes } from "./routes/static-routes.ts";
import type { DynamicTables, Interface4, RouterPort, Tables, Vrf } from "./tables.ts";
import type { VirtualAddresses } from "./vrrp/virtual-addresses.ts";

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
  const { virtual = [] } = dynamic;
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
        makeVrf(config, ports, virtual, { ...dynamic, learned4: () => [] }, name),
      ]),
    ),
    ...makeVrf(config, ports, virtual, dynamic, undefined),
  };
}

/** Tables with other learned routes, which only the default table of routes has. */
export const withLearned = (tables: Tables, config: RouterConfig, dynamic: DynamicTables): Tables => ({
  ...tables,
  routes4: new RouteTable(() => {
    const routes = config.routes.filter(({ vrf }) => vrf === undefined);
    const ports = tables.ports.filter(({ vrf }) => vrf === undefined);
    return allRoutes(routes, ports, dynamic).routes4;
  }, network4),
});

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
  specs: RouterConfig["routes"],
  ports: readonly RouterPort[],
  dynamic: Partial<DynamicTables>,
): Pick<Tables, "routes4" | "routes6" | "idleRoutes"> {
  const { routes4, routes6, idle } = allRoutes(specs, ports, dynamic);
  return {
    routes4: new RouteTable(() => routes4, network4),
    routes6: new RouteTable(() => routes6, network6),
    idleRoutes: idle,
  };
}

/** In the order in which they apply. */
function allRoutes(
  specs: RouterConfig["routes"],
  ports: readonly RouterPort[],
  { learned4 = () => [], tracksDown = new Set() }: Partial<DynamicTables>,
) {
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
  return { routes4: [...routes4, ...near, ...learned4(), ...far], routes6, idle };
}

const connected = <A>(
  { address, prefixLength }: { address: A; prefixLength: number },
  networkOf: (address: A, prefixLength: number) => A,
  port: number,
): Route<A> => ({ network: networkOf(address, prefixLength), prefixLength, port, via: undefined });
