/** Addresses of a DHCP pool that are kept for clients, by their MAC. */
import { formatIpv4, parseIpv4 } from "../../wire/ipv4-address.ts";
import { formatMac, isGroupMac, parseMac } from "../../wire/mac.ts";
import type { Path, PropertyReader } from "../property-reader.ts";

/** As text, in the configuration and in the API's `properties`. */
export interface Reservation {
  readonly mac: string;
  readonly address: string;
}

export interface ReservationDraft {
  readonly mac: number;
  readonly address: number;
}

export const MAX_RESERVATIONS = 64;

/** @returns those that are valid; the reader has the problems of the others. */
export function readReservations(reader: PropertyReader, value: unknown, path: Path): ReservationDraft[] {
  const given = value === undefined ? [] : reader.array(value, path, 0, MAX_RESERVATIONS);
  const read: ReservationDraft[] = [];
  for (const [index, each] of (given ?? []).entries()) {
    const where = [...path, index];
    const reservation = reader.object(each, where, ["mac", "address"]);
    if (reservation === null) continue;
    const parse = (text: string): number | null => {
      const mac = parseMac(text);
      return mac === null || mac === 0 || isGroupMac(mac) ? null : mac;
    };
    const mac = reader.parsed(reservation.mac, [...where, "mac"], parse, "the MAC address of a station");
    const address = reader.parsed(reservation.address, [...where, "address"], parseIpv4, "an IPv4 address");
    if (mac === null || address === null) continue;
    if (read.some((other) => other.mac === mac))
      reader.add([...where, "mac"], `${formatMac(mac)} has a reservation already`);
    if (read.some((other) => other.address === address))
      reader.add([...where, "address"], `${formatIpv4(address)} is reserved already`);
    read.push({ mac, address });
  }
  return read;
}

export const toReservation = ({ mac, address }: ReservationDraft): Reservation => ({
  mac: formatMac(mac),
  address: formatIpv4(address),
});

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
