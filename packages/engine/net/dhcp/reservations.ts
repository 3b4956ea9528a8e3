/** Addresses of a DHCP pool that are kept for clients, by their MAC. */
import { parseIpv4 } from "../../wire/ipv4-address.ts";
import { parseMac } from "../../wire/mac.ts";
import type { Reservation } from "./pool-shape.ts";

/** The addresses by MAC. */
export const reservationTable = (reservations: readonly Reservation[] = []): ReadonlyMap<number, number> =>
  new Map(reservations.map(({ mac, address }) => [parseMac(mac)!, parseIpv4(address)!]));

/** Whether the pool may lease an address to a client: its own reservation if it has one, else an address without one. */
export function mayLease(
  { first, last, reserved }: { first: number; last: number; reserved: ReadonlyMap<number, number> },
  address: number,
  mac: number,
): boolean {
  const own = reserved.get(mac);
  if (own !== undefined) return own === address;
  return address >= first && address <= last && ![...reserved.values()].includes(address);
}

/** Whether an address belongs to a pool. */
export const isOfPool = (
  { first, last, reserved }: { first: number; last: number; reserved: ReadonlyMap<number, number> },
  address: number,
): boolean => (address >= first && address <= last) || [...reserved.values()].includes(address);
