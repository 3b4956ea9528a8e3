/** Pools of addresses in the form that requests need. */
import { parseIpv4 } from "../../wire/ipv4-address.ts";
import type { Prefix4 } from "../address/prefix.ts";
import type { Interface4 } from "../plane/tables.ts";
import type { PoolSpec } from "./pool-shape.ts";
import { reservationTable } from "./reservations.ts";

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

/** A pool for a subnet behind a relay. */
export interface RemotePool {
  /** In place of the index of a port. */
  readonly index: number;
  readonly subnet: Prefix4;
  /** The gateway, with the mask of the subnet. */
  readonly gateway: Interface4;
  readonly pool: Pool;
}

/** Where the addresses of requests come from. */
export interface Pools {
  /** @param index of a port. */
  at(index: number): Pool | undefined;
  /** The pool whose subnet has the address of a relay, or of a client that renews. */
  behind(address: number): RemotePool | undefined;
}

export const makePool = ({ first, last, leaseSeconds, dns, domain, reservations }: PoolSpec): Pool => ({
  first: parseIpv4(first)!,
  last: parseIpv4(last)!,
  leaseSeconds,
  dns: dns.map((server) => parseIpv4(server)!),
  domain: domain ?? "",
  reserved: reservationTable(reservations),
});
