/** The settings of the DNS server. Names are in lower case, without a last dot. */

import { formatAnyAddress } from "../../../../net/address/prefix.ts";
import { anyAddress } from "../../../../settings/addresses.ts";
import { list, map } from "../../../../settings/collections.ts";
import { checked, seconds, spelled } from "../../../../settings/kind.ts";
import type { PropertyReader } from "../../../../settings/property-reader.ts";
import { type DraftOf, type PropertiesOf, type SpecOf, setting } from "../../../../settings/shape.ts";
import { encodeDnsName } from "../../../../wire/dns.ts";
import type { Ports } from "../base/port-kind.ts";
import { shapedService } from "../base/service-shape.ts";

const MAX_NAMES = 256;
const MAX_ADDRESSES = 8;
const MAX_ZONES = 16;
const MAX_SERVERS = 4;
const DEFAULT_TTL_SECONDS = 300;
const MAX_TTL_SECONDS = 86_400;
const MAX_ALIAS_CHAIN = 8;

const NAME = /^[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/;

/** Returns a name as it is stored; null if it is none. */
export function normalName(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, "");
  return NAME.test(name) && encodeDnsName(name) !== null ? name : null;
}

const domainName = {
  ...spelled("a domain name", normalName, { placeholder: "NAME" }),
  parse: ([word, ...more]: readonly string[]) =>
    word === undefined || more.length > 0 ? undefined : (normalName(word) ?? word),
};

const server = checked(anyAddress, (text, ports: Ports) => {
  const isOwn = ({ address }: { readonly address: number | bigint }) => formatAnyAddress(address) === text;
  return ports?.some(({ ipv4, ipv6 }) => (ipv4 && isOwn(ipv4)) || (ipv6 && isOwn(ipv6)))
    ? `${text} is the router's own address`
    : undefined;
});

const SHAPE = {
  hosts: setting(
    map(domainName, list(anyAddress, { min: 1, max: MAX_ADDRESSES, takesOne: true }), { max: MAX_NAMES }),
    {},
    { about: "a name with its addresses, and the name of these addresses", line: "host" },
  ),
  aliases: setting(
    map(domainName, { ...domainName, placeholder: "TARGET" }, { max: MAX_NAMES }),
    {},
    { about: "another name for a name", line: "alias" },
  ),
  zones: setting(list(domainName, { max: MAX_ZONES, isDistinct: true }), [], {
    about: "names below this one exist only if they are configured here",
    line: "zone",
  }),
  servers: setting(list(server, { max: MAX_SERVERS, isDistinct: true }), [], {
    about: "a server that is asked for all other names",
    line: "server",
  }),
  ttl_seconds: setting(seconds(0, MAX_TTL_SECONDS), DEFAULT_TTL_SECONDS, {
    about: "how long others keep what is configured here (300)",
    line: "ttl",
    name: "ttlSeconds",
  }),
} as const;

export type DnsSpec = SpecOf<typeof SHAPE>;

function checkAliases({ hosts, aliases }: DraftOf<typeof SHAPE>, reader: PropertyReader): void {
  if (!hosts || !aliases) return;
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

export const DNS = shapedService("dns", SHAPE, {
  head: "dns",
  off: "DNS is not configured",
  about: "answer questions for names; no dns ends it, and no before a line takes it back",
  aboutNo: "answer no questions for names",
  rules: checkAliases,
  order: ["ttl", "server", "zone", "host", "alias"],
});

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly dns?: DnsSpec;
  }
  interface ServicesProperties {
    dns?: PropertiesOf<typeof SHAPE>;
  }
}
