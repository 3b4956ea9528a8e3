/** DHCP pools for subnets behind relays, which are on no port of the router. */
import { formatIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import type { Path, PropertyReader } from "../../property-reader.ts";
import {
  DEFAULT_LEASE_SECONDS,
  DOMAIN_NAME,
  MAX_DNS_SERVERS,
  MAX_LEASE_SECONDS,
  MIN_LEASE_SECONDS,
} from "../dhcp-bounds.ts";
import { type Reservation, readReservations, toReservation } from "../dhcp-reservations.ts";
import {
  broadcast4,
  contains4,
  formatPrefix4,
  hasBroadcast,
  network4,
  overlaps,
  type Prefix4,
  parsePrefix4,
} from "../prefix.ts";
import type { PortDraft } from "../property-drafts.ts";

export interface RemotePoolSpec {
  /** The prefix of the subnet: `10.1.0.0/24`. */
  readonly subnet: string;
  /** The default gateway of its hosts. */
  readonly gateway: string;
  readonly first: string;
  readonly last: string;
  readonly leaseSeconds: number;
  readonly dns: readonly string[];
  readonly domain?: string;
  readonly reservations?: readonly Reservation[];
}

export interface RemotePoolProperties {
  subnet: string;
  gateway: string;
  first: string;
  last: string;
  lease_seconds?: number;
  dns?: string[];
  domain?: string;
  reservations?: Reservation[];
}

export const MAX_REMOTE_POOLS = 64;
const KEYS = ["subnet", "gateway", "first", "last", "lease_seconds", "dns", "domain", "reservations"];

/** @returns undefined if a value is invalid: the reader then has the problem. */
export function readRemotePools(
  reader: PropertyReader,
  value: unknown,
  ports: readonly PortDraft[] | null,
): RemotePoolSpec[] | undefined {
  const given = reader.array(value, ["dhcp_pools"], 0, MAX_REMOTE_POOLS);
  const subnets = (ports ?? []).flatMap(({ ipv4 }) => (ipv4 ? [ipv4] : []));
  const pools = given?.map((each, index) => readPool(reader, each, ["dhcp_pools", index], subnets));
  return pools?.every((each) => each !== null) ? pools : undefined;
}

/** @param subnets those of ports and of pools before this one; that of the pool is added. */
function readPool(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  subnets: Prefix4[],
): RemotePoolSpec | null {
  const before = reader.problems.length;
  const pool = reader.object(value, path, KEYS);
  if (pool === null) return null;
  const address = (given: unknown, key: string | number, at = path): number | null =>
    reader.parsed(given, [...at, key], parseIpv4, "an IPv4 address");
  const { lease_seconds = DEFAULT_LEASE_SECONDS, dns = [] } = pool;
  const subnet = reader.parsed(pool.subnet, [...path, "subnet"], parsePrefix4, "a prefix (10.1.0.0/24)");
  const [gateway, first, last] = [
    address(pool.gateway, "gateway"),
    address(pool.first, "first"),
    address(pool.last, "last"),
  ];
  const seconds = [...path, "lease_seconds"];
  const leaseSeconds = reader.integer(lease_seconds, seconds, MIN_LEASE_SECONDS, MAX_LEASE_SECONDS);
  const servers = reader
    .array(dns, [...path, "dns"], 0, MAX_DNS_SERVERS)
    ?.map((server, index) => address(server, index, [...path, "dns"]));
  const domain = reader.optional(pool.domain, (text) =>
    reader.parsed(
      text,
      [...path, "domain"],
      (name) => (DOMAIN_NAME.test(name) ? name : null),
      "a domain name",
    ),
  );
  const reservations = readReservations(reader, pool.reservations, [...path, "reservations"]);
  if (subnet !== null) checkSubnet(reader, subnet, [...path, "subnet"], subnets);
  const reserved = reservations.map(
    (each, index) => [["reservations", index, "address"], each.address] as const,
  );
  for (const [key, each] of [
    [["gateway"], gateway],
    [["first"], first],
    [["last"], last],
    ...reserved,
  ] as const)
    if (subnet !== null && each !== null) checkHost(reader, each, subnet, [...path, ...key]);
  if (first !== null && last !== null && gateway !== null) checkRange(reader, first, last, gateway, path);
  if (subnet !== null) subnets.push(subnet);
  if (reader.problems.length > before) return null;
  return {
    subnet: formatPrefix4(subnet!),
    gateway: formatIpv4(gateway!),
    first: formatIpv4(first!),
    last: formatIpv4(last!),
    leaseSeconds: leaseSeconds!,
    dns: servers!.map((server) => formatIpv4(server!)),
    ...(domain && { domain }),
    ...(reservations.length > 0 && { reservations: reservations.map(toReservation) }),
  };
}

function checkSubnet(reader: PropertyReader, subnet: Prefix4, path: Path, others: readonly Prefix4[]): void {
  const text = formatPrefix4(subnet);
  const { address, prefixLength } = subnet;
  if (network4(address, prefixLength) !== address) {
    const meant = formatPrefix4({ address: network4(address, prefixLength), prefixLength });
    reader.add(path, `${text} has bits set after its prefix; the network is ${meant}`);
  } else if (others.some((other) => overlaps(contains4, other, subnet)))
    reader.add(path, `${text} overlaps the subnet of a port or of another pool`);
}

function checkHost(reader: PropertyReader, address: number, subnet: Prefix4, path: Path): void {
  const [text, net] = [formatIpv4(address), formatPrefix4(subnet)];
  if (!contains4(subnet, address)) reader.add(path, `${text} is not in the subnet ${net}`);
  else if (hasBroadcast(subnet) && address === network4(address, subnet.prefixLength))
    reader.add(path, `${text} is the network address of ${net}`);
  else if (hasBroadcast(subnet) && address === broadcast4(subnet))
    reader.add(path, `${text} is the broadcast address of ${net}`);
}

function checkRange(reader: PropertyReader, first: number, last: number, gateway: number, path: Path): void {
  if (first > last)
    reader.add([...path, "last"], `the pool ends at ${formatIpv4(last)}, before ${formatIpv4(first)}`);
  if (first <= gateway && gateway <= last)
    reader.add(path, `the pool contains the gateway's address ${formatIpv4(gateway)}`);
}

export const formatRemotePool = (pool: RemotePoolSpec): RemotePoolProperties => ({
  subnet: pool.subnet,
  gateway: pool.gateway,
  first: pool.first,
  last: pool.last,
  lease_seconds: pool.leaseSeconds,
  dns: [...pool.dns],
  ...(pool.domain !== undefined && { domain: pool.domain }),
  ...(pool.reservations && { reservations: pool.reservations.map((each) => ({ ...each })) }),
});

/** The words after the first and last address of a pool. */
export function poolWords({
  leaseSeconds,
  dns,
  domain,
  reservations = [],
}: Pick<RemotePoolSpec, "leaseSeconds" | "dns" | "domain" | "reservations">): string {
  return [
    ` lease ${leaseSeconds}`,
    dns.length > 0 ? ` dns ${dns.join(" ")}` : "",
    domain === undefined ? "" : ` domain ${domain}`,
    ...reservations.map(({ mac, address }) => ` reserve ${mac} ${address}`),
  ].join("");
}

export const remotePoolLine = (pool: RemotePoolSpec): string =>
  `dhcp-pool ${pool.subnet} gateway ${pool.gateway} ${pool.first} ${pool.last}${poolWords(pool)}`;
