/** The settings that all pools of DHCP have, beside their addresses: at a console, words after the first and the last address. */
import { ipv4, ipv6 } from "../../settings/addresses.ts";
import { list } from "../../settings/collections.ts";
import { type Kind, seconds, spelled } from "../../settings/kind.ts";
import { optional, required, type SpecOf, setting, unlessEmpty } from "../../settings/shape.ts";
import { record } from "../../settings/words.ts";
import { formatMac, isGroupMac, parseMac } from "../../wire/mac.ts";

const MAX_DNS_SERVERS = 4;
const MAX_RESERVATIONS = 64;
const DEFAULT_LEASE_SECONDS = 3_600;
/** Labels of letters, digits, `-` and `_`. */
export const DOMAIN_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/i;

/** An address that is kept for a client. */
export interface Reservation {
  readonly mac: string;
  readonly address: string;
}

function normalStation(text: string): string | null {
  const mac = parseMac(text);
  return mac === null || mac === 0 || isGroupMac(mac) ? null : formatMac(mac);
}
const station = spelled("the MAC address of a station", normalStation, { placeholder: "MAC" });

const reservationsOf = (address: Kind<string>): Kind<readonly Reservation[]> => {
  const kind = list(record({ mac: required(station), address: required(address) }), {
    max: MAX_RESERVATIONS,
  });
  return {
    ...kind,
    read(reader, value, path, context) {
      const before = reader.problems.length;
      const reservations = kind.read(reader, value, path, context);
      for (const [index, each] of (reservations ?? []).entries()) {
        const others = (reservations ?? []).slice(0, index);
        if (others.some(({ mac }) => mac === each.mac))
          reader.add([...path, index, "mac"], `${each.mac} has a reservation already`);
        if (others.some((other) => other.address === each.address))
          reader.add([...path, index, "address"], `${each.address} is reserved already`);
      }
      return reader.problems.length > before ? null : reservations;
    },
  };
};

const rows = (address: Kind<string>) => ({
  lease: {
    about: "seconds that a client has its address (3,600)",
    name: "leaseSeconds",
    line: "lease",
  } as const,
  dns: setting(list(address, { max: MAX_DNS_SERVERS }), [], { about: "name servers for the clients" }),
  domain: optional(
    spelled("a domain name", (text) => (DOMAIN_NAME.test(text) ? text : null), { placeholder: "NAME" }),
    { about: "the domain of the clients" },
  ),
  reserved: { about: "addresses that are kept for clients", line: "reserve", isRepeated: true } as const,
});
const leaseTime = seconds(10, 31_536_000);

const { lease, dns, domain, reserved } = rows(ipv4);
const POOL_SETTINGS = {
  lease_seconds: setting(leaseTime, DEFAULT_LEASE_SECONDS, { ...lease, isShown: true }),
  dns,
  domain,
  reservations: unlessEmpty(reservationsOf(ipv4), reserved),
} as const;

/** A pool of addresses. */
export const POOL = {
  first: required({ ...ipv4, placeholder: "FIRST" }),
  last: required({ ...ipv4, placeholder: "LAST" }),
  ...POOL_SETTINGS,
} as const;
export type PoolSpec = SpecOf<typeof POOL>;
export const pool = record(POOL);

const rows6 = rows(ipv6);
/** The settings of a DHCPv6 server beside its addresses. */
export const POOL6_SETTINGS = {
  lease_seconds: setting(leaseTime, DEFAULT_LEASE_SECONDS, rows6.lease),
  dns: rows6.dns,
  domain: rows6.domain,
  reservations: setting(reservationsOf(ipv6), [], rows6.reserved),
} as const;
