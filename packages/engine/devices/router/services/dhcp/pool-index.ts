/** The pools of a router. Leases of remote pools have the numbers of ports that do not exist. */
import { contains4, parsePrefix4 } from "../../../../net/address/prefix.ts";
import { makePool, type Pools, type RemotePool } from "../../../../net/dhcp/pool.ts";
import type { PoolSpec } from "../../../../net/dhcp/pool-shape.ts";
import { isOfPool } from "../../../../net/dhcp/reservations.ts";
import { interfacesOf } from "../../../../net/plane/config.ts";
import { maskOf, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { RemotePoolSpec } from "./settings.ts";

/** More than the ports and other interfaces of a router. */
const FIRST_INDEX = 1_000;

const remotePools = (specs: readonly RemotePoolSpec[] = []): RemotePool[] =>
  specs.map((spec, index) => {
    const subnet = parsePrefix4(spec.subnet)!;
    const { prefixLength } = subnet;
    return {
      index: FIRST_INDEX + index,
      subnet,
      gateway: {
        address: parseIpv4(spec.gateway)!,
        prefixLength,
        mask: maskOf(prefixLength),
        broadcast: undefined,
      },
      pool: makePool(spec),
    };
  });

interface DhcpConfig {
  readonly ports: readonly { readonly dhcp?: PoolSpec }[];
  readonly interfaces?: readonly { readonly dhcp?: PoolSpec }[];
  readonly dhcpPools?: readonly RemotePoolSpec[];
}

/** The pools of a configuration. @param config returns the one in use. */
export const poolsOf = (config: () => DhcpConfig): Pools => ({
  at(index) {
    const spec = interfacesOf(config())[index]?.dhcp;
    return spec && makePool(spec);
  },
  behind: (address) => remotePools(config().dhcpPools).find(({ subnet }) => contains4(subnet, address)),
});

/** Whether a pool of a configuration has an address. @param index of the port, or of the pool. */
export function hasLeasable(config: DhcpConfig, index: number, address: number): boolean {
  const pool =
    poolsOf(() => config).at(index) ??
    remotePools(config.dhcpPools).find((each) => each.index === index)?.pool;
  return pool !== undefined && isOfPool(pool, address);
}
