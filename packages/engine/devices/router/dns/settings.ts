/** The settings of the DNS server: as they are configured, and with the names of the API's `properties`. */

import { encodeDnsName } from "../../../wire/dns.ts";
import type { Path, PropertyReader } from "../../property-reader.ts";
import { formatAnyAddress, parseAnyAddress } from "../prefix.ts";
import type { PortDraft } from "../property-drafts.ts";
import { readDistinct } from "../read-distinct.ts";

/** Names are in lower case and sorted, without a last dot. */
export interface DnsSpec {
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  readonly aliases: Readonly<Record<string, string>>;
  /** Names below these exist only if they are hosts or aliases here. */
  readonly zones: readonly string[];
  /** Servers that are asked for other names, in this order. */
  readonly servers: readonly string[];
  readonly ttlSeconds: number;
}

export interface DnsProperties {
  hosts?: Record<string, string | string[]>;
  aliases?: Record<string, string>;
  zones?: string[];
  servers?: string[];
  ttl_seconds?: number;
}

export const MAX_DNS_NAMES = 256;
export const MAX_HOST_ADDRESSES = 8;
export const MAX_DNS_ZONES = 16;
export const MAX_UPSTREAM_SERVERS = 4;
export const DEFAULT_DNS_TTL_SECONDS = 300;
const MAX_TTL_SECONDS = 86_400;
const MAX_ALIAS_CHAIN = 8;

const NAME = /^[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/;
const KEYS = ["hosts", "aliases", "zones", "servers", "ttl_seconds"];

/** Returns a name as it is stored; null if it is none. */
export function normalName(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, "");
  return NAME.test(name) && encodeDnsName(name) !== null ? name : null;
}

/** @param ports null if the list of ports is invalid. @returns undefined if a value is invalid: the reader then has the problem. */
export function readDns(
  reader: PropertyReader,
  value: unknown,
  ports: readonly PortDraft[] | null,
): DnsSpec | undefined {
  const dns = reader.object(value, ["dns"], KEYS);
  if (dns === null) return undefined;
  const { hosts = {}, aliases = {}, zones = [], servers = [], ttl_seconds = DEFAULT_DNS_TTL_SECONDS } = dns;
  const nameAt = (given: unknown, path: Path) => reader.parsed(given, path, normalName, "a domain name");
  const read = {
    hosts: readMap(reader, hosts, ["dns", "hosts"], (given, path) => readAddresses(reader, given, path)),
    aliases: readMap(reader, aliases, ["dns", "aliases"], nameAt),
    zones: readDistinct(reader, zones, ["dns", "zones"], MAX_DNS_ZONES, nameAt),
    servers: readDistinct(reader, servers, ["dns", "servers"], MAX_UPSTREAM_SERVERS, (given, path) =>
      readServer(reader, given, path, ports),
    ),
    ttlSeconds: reader.integer(ttl_seconds, ["dns", "ttl_seconds"], 0, MAX_TTL_SECONDS),
  };
  if (read.hosts && read.aliases) checkAliases(read.hosts, read.aliases, reader);
  return Object.values(read).includes(null) ? undefined : (read as DnsSpec);
}

function readMap<T>(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  read: (value: unknown, path: Path) => T | null,
): Record<string, T> | null {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return reader.add(path, "must be an object");
  const given = Object.entries(value);
  if (given.length > MAX_DNS_NAMES)
    return reader.add(path, `must have 0 to ${MAX_DNS_NAMES} names, not ${given.length}`);
  const entries = new Map<string, T | null>();
  for (const [key, each] of given) {
    const name = reader.parsed(key, [...path, key], normalName, "a domain name");
    const result = read(each, [...path, key]);
    if (name !== null && entries.has(name)) reader.add([...path, key], `${name} is in the list already`);
    entries.set(name ?? key, name === null ? null : result);
  }
  if ([...entries.values()].includes(null)) return null;
  // Storage does not keep the order of keys.
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1))) as Record<string, T>;
}

function readAddresses(reader: PropertyReader, value: unknown, path: Path): string[] | null {
  const given = typeof value === "string" ? [value] : reader.array(value, path, 1, MAX_HOST_ADDRESSES);
  const addresses = given?.map((each, index) =>
    reader.parsed(
      each,
      Array.isArray(value) ? [...path, index] : path,
      parseAnyAddress,
      "an IPv4 or IPv6 address",
    ),
  );
  if (!addresses || addresses.includes(null)) return null;
  return addresses.map((each) => formatAnyAddress(each!));
}

function readServer(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  ports: readonly PortDraft[] | null,
): string | null {
  const address = reader.parsed(value, path, parseAnyAddress, "an IPv4 or IPv6 address");
  if (address === null) return null;
  const text = formatAnyAddress(address);
  const isOwn = (ports ?? []).some(
    ({ ipv4, ipv6 }) => ipv4?.address === address || ipv6?.address === address,
  );
  return isOwn ? reader.add(path, `${text} is the router's own address`) : text;
}

function checkAliases(hosts: DnsSpec["hosts"], aliases: DnsSpec["aliases"], reader: PropertyReader): void {
  for (const name of Object.keys(aliases)) {
    const path = ["dns", "aliases", name];
    // RFC 1034, section 3.6.2: an alias has no other records.
    if (Object.hasOwn(hosts, name)) reader.add(path, `${name} is a host, too: an alias has no addresses`);
    let [target, length] = [name, 0];
    while (Object.hasOwn(aliases, target) && length <= MAX_ALIAS_CHAIN) {
      target = aliases[target]!;
      length += 1;
    }
    if (length > MAX_ALIAS_CHAIN)
      reader.add(path, `${name} leads through more than ${MAX_ALIAS_CHAIN} aliases, or back to itself`);
  }
}

export const formatDns = ({ hosts, aliases, zones, servers, ttlSeconds }: DnsSpec): DnsProperties => ({
  hosts: Object.fromEntries(Object.entries(hosts).map(([name, addresses]) => [name, [...addresses]])),
  aliases: { ...aliases },
  zones: [...zones],
  servers: [...servers],
  ttl_seconds: ttlSeconds,
});

/** The commands that configure the server; defaults are omitted. */
export const dnsLines = ({ hosts, aliases, zones, servers, ttlSeconds }: DnsSpec): string[] =>
  [
    "",
    ...(ttlSeconds === DEFAULT_DNS_TTL_SECONDS ? [] : [` ttl ${ttlSeconds}`]),
    ...servers.map((server) => ` server ${server}`),
    ...zones.map((zone) => ` zone ${zone}`),
    ...Object.entries(hosts).map(([name, addresses]) => ` host ${name} ${addresses.join(" ")}`),
    ...Object.entries(aliases).map(([name, target]) => ` alias ${name} ${target}`),
  ].map((line) => `dns${line}`);
