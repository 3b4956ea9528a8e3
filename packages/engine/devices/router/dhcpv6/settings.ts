/** The settings of the DHCPv6 server: as they are configured, and with the names of the API's `properties`. */

import { formatIpv6, parseIpv6 } from "../../../wire/ipv6-address.ts";
import { formatMac, isGroupMac, parseMac } from "../../../wire/mac.ts";
import type { Path, PropertyReader } from "../../property-reader.ts";
import {
  DEFAULT_LEASE_SECONDS,
  DOMAIN_NAME,
  MAX_DNS_SERVERS,
  MAX_LEASE_SECONDS,
  MIN_LEASE_SECONDS,
} from "../dhcp-bounds.ts";
import { MAX_RESERVATIONS, type Reservation } from "../dhcp-reservations.ts";
import { contains6, formatPrefix6, type Prefix6 } from "../prefix.ts";
import type { PortDraft } from "../property-drafts.ts";
import { settingsByPort } from "../settings-by-port.ts";

/** By the name of a port. */
export type Dhcpv6Spec = Readonly<Record<string, Dhcpv6PortSpec>>;

export interface Dhcpv6PortSpec {
  /** Absent if the server leases no addresses: it then answers questions for names only. */
  readonly range?: { readonly first: string; readonly last: string };
  readonly leaseSeconds: number;
  readonly dns: readonly string[];
  readonly domain?: string;
  readonly reservations: readonly Reservation[];
}

export type Dhcpv6Properties = Record<string, Dhcpv6PortProperties>;

export interface Dhcpv6PortProperties {
  first?: string;
  last?: string;
  lease_seconds?: number;
  dns?: string[];
  domain?: string;
  reservations?: Reservation[];
}

const KEYS = ["first", "last", "lease_seconds", "dns", "domain", "reservations"];

/** @param ports null if the list of ports is invalid. @returns undefined if a value is invalid: the reader then has the problem. */
export function readDhcpv6(
  reader: PropertyReader,
  value: unknown,
  ports: readonly PortDraft[] | null,
): Dhcpv6Spec | undefined {
  const read = settingsByPort(reader, value, ["dhcpv6"], (name, given) =>
    readPort(reader, name, given, ports),
  );
  return read ?? undefined;
}

function readPort(
  reader: PropertyReader,
  name: string,
  value: unknown,
  ports: readonly PortDraft[] | null,
): [string, Dhcpv6PortSpec] | null {
  const path = ["dhcpv6", name];
  const before = reader.problems.length;
  const given = reader.object(value, path, KEYS);
  const port = ports?.find((each) => each.name?.toLowerCase() === name.toLowerCase());
  const isUnknown = ports?.every((each) => each.name !== null) && port === undefined;
  if (isUnknown) return reader.add(path, `${JSON.stringify(name)} is not the name of a port`);
  if (port && port.ipv6 === undefined)
    return reader.add(path, "DHCPv6 needs an IPv6 address on the same port");
  if (given === null) return null;
  const { lease_seconds = DEFAULT_LEASE_SECONDS, dns = [], reservations = [] } = given;
  const address = (each: unknown, where: Path): bigint | null =>
    reader.parsed(each, where, parseIpv6, "an IPv6 address");
  const first = reader.optional(given.first, (each) => address(each, [...path, "first"]));
  const last = reader.optional(given.last, (each) => address(each, [...path, "last"]));
  const time = [...path, "lease_seconds"];
  const leaseSeconds = reader.integer(lease_seconds, time, MIN_LEASE_SECONDS, MAX_LEASE_SECONDS);
  const servers = reader
    .array(dns, [...path, "dns"], 0, MAX_DNS_SERVERS)
    ?.map((each, index) => address(each, [...path, "dns", index]));
  const domain = reader.optional(given.domain, (each) =>
    reader.parsed(
      each,
      [...path, "domain"],
      (text) => (DOMAIN_NAME.test(text) ? text : null),
      "a domain name",
    ),
  );
  const reserved = reader
    .array(reservations, [...path, "reservations"], 0, MAX_RESERVATIONS)
    ?.map((each, index) => readReservation(reader, each, [...path, "reservations", index]));
  if (reader.problems.length === before)
    checkAddresses(reader, path, port?.ipv6 ?? null, {
      first,
      last,
      reserved: (reserved ?? []) as Reserved[],
    });
  if (reader.problems.length > before) return null;
  return [
    port?.name ?? name,
    {
      ...(first && last && { range: { first: formatIpv6(first), last: formatIpv6(last) } }),
      leaseSeconds: leaseSeconds!,
      dns: servers!.map((each) => formatIpv6(each!)),
      ...(domain && { domain }),
      reservations: (reserved as Reserved[]).map((each) => ({
        mac: formatMac(each.mac),
        address: formatIpv6(each.address),
      })),
    },
  ];
}

interface Reserved {
  readonly mac: number;
  readonly address: bigint;
}

function readReservation(reader: PropertyReader, value: unknown, path: Path): Reserved | null {
  const given = reader.object(value, path, ["mac", "address"]);
  if (given === null) return null;
  const station = (text: string): number | null => {
    const mac = parseMac(text);
    return mac === null || mac === 0 || isGroupMac(mac) ? null : mac;
  };
  const mac = reader.parsed(given.mac, [...path, "mac"], station, "the MAC address of a station");
  const address = reader.parsed(given.address, [...path, "address"], parseIpv6, "an IPv6 address");
  return mac === null || address === null ? null : { mac, address };
}

interface Addresses {
  readonly first: bigint | null | undefined;
  readonly last: bigint | null | undefined;
  readonly reserved: readonly Reserved[];
}

/** @param subnet null if it is invalid. */
function checkAddresses(
  reader: PropertyReader,
  path: Path,
  subnet: Prefix6 | null,
  { first, last, reserved }: Addresses,
): void {
  if ((first === undefined) !== (last === undefined))
    reader.add(path, "first and last need each other: without both, the server leases no addresses");
  if (first === undefined && reserved.length > 0)
    reader.add([...path, "reservations"], "reservations need first and last");
  if (first && last && first > last)
    reader.add([...path, "last"], `the pool ends at ${formatIpv6(last)}, before ${formatIpv6(first)}`);
  const own = reserved.map((each, index) => [["reservations", index, "address"], each.address] as const);
  for (const [key, address] of [[["first"], first], [["last"], last], ...own] as const)
    if (subnet && address && !contains6(subnet, address))
      reader.add(
        [...path, ...key],
        `${formatIpv6(address)} is not in the port's subnet ${formatPrefix6(subnet)}`,
      );
  if (subnet && first && last && first <= subnet.address && subnet.address <= last)
    reader.add(path, `the pool contains the port's own address ${formatIpv6(subnet.address)}`);
  for (const [index, { mac, address }] of reserved.entries()) {
    const others = reserved.slice(0, index);
    if (others.some((other) => other.mac === mac))
      reader.add([...path, "reservations", index, "mac"], `${formatMac(mac)} has a reservation already`);
    if (others.some((other) => other.address === address))
      reader.add([...path, "reservations", index, "address"], `${formatIpv6(address)} is reserved already`);
  }
}

export const formatDhcpv6 = (spec: Dhcpv6Spec): Dhcpv6Properties =>
  Object.fromEntries(
    Object.entries(spec).map(([name, { range, leaseSeconds, dns, domain, reservations }]) => [
      name,
      {
        ...range,
        lease_seconds: leaseSeconds,
        dns: [...dns],
        ...(domain !== undefined && { domain }),
        reservations: reservations.map((each) => ({ ...each })),
      },
    ]),
  );

/** The commands that configure the server. */
export const dhcpv6Lines = (spec: Dhcpv6Spec): string[] =>
  Object.entries(spec).map(([name, { range, leaseSeconds, dns, domain, reservations }]) =>
    [
      `dhcpv6 ${name}`,
      range ? ` ${range.first} ${range.last}` : "",
      leaseSeconds === DEFAULT_LEASE_SECONDS ? "" : ` lease ${leaseSeconds}`,
      dns.length > 0 ? ` dns ${dns.join(" ")}` : "",
      domain === undefined ? "" : ` domain ${domain}`,
      ...reservations.map(({ mac, address }) => ` reserve ${mac} ${address}`),
    ].join(""),
  );
