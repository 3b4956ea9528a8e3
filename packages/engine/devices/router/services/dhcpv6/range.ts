/** The addresses that a port leases, as numbers. */
import { parseIpv6 } from "../../../../wire/ipv6-address.ts";
import { parseMac } from "../../../../wire/mac.ts";
import type { Dhcpv6PortSpec } from "./settings.ts";

export interface Range6 {
  readonly first: bigint;
  readonly last: bigint;
  /** By the MAC of the client. */
  readonly reserved: ReadonlyMap<number, bigint>;
}

/** Undefined if the port leases no addresses. */
export const rangeOf = ({ range, reservations }: Dhcpv6PortSpec): Range6 | undefined =>
  range && {
    first: parseIpv6(range.first)!,
    last: parseIpv6(range.last)!,
    reserved: new Map(reservations.map(({ mac, address }) => [parseMac(mac)!, parseIpv6(address)!])),
  };

/** Whether a client may have an address: its own reservation if it has one, else an address without one. */
export function mayLease6(
  { first, last, reserved }: Range6,
  address: bigint,
  mac: number | undefined,
): boolean {
  const own = mac === undefined ? undefined : reserved.get(mac);
  if (own !== undefined) return own === address;
  return address >= first && address <= last && ![...reserved.values()].includes(address);
}
