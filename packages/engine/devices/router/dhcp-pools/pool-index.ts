/** Remote pools in the form that requests need. Their leases have the numbers of ports that do not exist. */
import { maskOf, parseIpv4 } from "../../../wire/ipv4-address.ts";
import { reservationTable } from "../dhcp-reservations.ts";
import { contains4, type Prefix4, parsePrefix4 } from "../prefix.ts";
import type { Interface4, Pool } from "../tables.ts";
import type { RemotePoolSpec } from "./settings.ts";

/** More than the ports and other interfaces of a router. */
const FIRST_INDEX = 1_000;

export interface RemotePool {
  /** In place of the index of a port. */
  readonly index: number;
  readonly subnet: Prefix4;
  /** The gateway, with the mask of the subnet. */
  readonly gateway: Interface4;
  readonly pool: Pool;
}

export const remotePools = (specs: readonly RemotePoolSpec[] = []): RemotePool[] =>
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
      pool: {
        first: parseIpv4(spec.first)!,
        last: parseIpv4(spec.last)!,
        leaseSeconds: spec.leaseSeconds,
        dns: spec.dns.map((server) => parseIpv4(server)!),
        domain: spec.domain ?? "",
        reserved: reservationTable(spec.reservations),
      },
    };
  });

/** The pool whose subnet has an address. */
export const remotePoolOf = (pools: readonly RemotePool[], address: number): RemotePool | undefined =>
  pools.find(({ subnet }) => contains4(subnet, address));
