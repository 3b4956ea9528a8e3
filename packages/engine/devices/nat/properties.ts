/**
 * A NAT node's `properties` from the API:
 *
 *     { "internet": [ { "name": "www.example.com", "address": "203.0.113.10", "files": { "/": "text" } } ] }
 */

import { DOMAIN_NAME } from "../../net/dhcp/pool-shape.ts";
import { files } from "../../net/host/files.ts";
import { parseNetwork } from "../../net/plane/addressed.ts";
import { list } from "../../settings/collections.ts";
import { text, unspoken } from "../../settings/kind.ts";
import { type Problem, PropertyReader } from "../../settings/property-reader.ts";
import { optional, readShape, required, setting } from "../../settings/shape.ts";
import { record } from "../../settings/words.ts";
import { defaultAddressOf, MAX_SITES, type NatConfig, networkOf, type Site } from "./config.ts";

type ParsedNat =
  | { readonly ok: true; readonly config: NatConfig }
  | { readonly ok: false; readonly problems: Problem[] };

const domainName = unspoken<string>(
  (reader, value, path) => {
    const name = reader.text(value, path);
    if (name !== null && !DOMAIN_NAME.test(name)) reader.add(path, "is not a domain name");
    return name?.toLowerCase() ?? null;
  },
  { type: "string" },
);

const sites = list(
  record({
    name: required(domainName),
    address: optional(text("ADDR"), { about: "absent: an address of 203.0.113.0/24 (RFC 5737)" }),
    files: setting(files, {}, { about: "bodies of HTTP by path" }),
  }),
  { max: MAX_SITES },
);

export const NAT = {
  internet: setting(
    unspoken<readonly Site[]>((reader, value, path) => {
      const read = sites.read(reader, value, path, undefined);
      const internet = read?.map(({ address, ...site }, index) => ({
        ...site,
        address: address ?? defaultAddressOf(index),
      }));
      if (internet === undefined) return null;
      const names = internet.map(({ name }) => name);
      for (const [index, name] of names.entries())
        if (names.indexOf(name) < index)
          reader.add([...path, index, "name"], `${name} is also the name of host ${names.indexOf(name)}`);
      return internet;
    }, sites.schema),
    [],
    { about: "hosts of the simulated internet" },
  ),
} as const;

/** @param input JSON data; undefined and `{}` give a gateway to an internet without hosts. */
export function parseNatProperties(input: unknown): ParsedNat {
  const reader = new PropertyReader();
  const config = readShape(reader, input ?? {}, [], NAT, undefined);
  if (config !== null) checkAddresses(reader, config);
  return config === null || reader.problems.length > 0
    ? { ok: false, problems: reader.problems }
    : { ok: true, config };
}

/** The addresses have the rules of a router's interfaces: no two are equal, and none is in the network of the gateway. */
function checkAddresses(reader: PropertyReader, { internet }: NatConfig): void {
  const { ports, interfaces = [] } = networkOf({ internet });
  const plain = (each: (typeof ports)[number]) => ({ name: each.name, ipv4: each.ipv4 });
  const parsed = parseNetwork(ports.map(plain), interfaces.map(plain), []);
  if (parsed.ok) return;
  for (const { path, message } of parsed.problems)
    reader.add(["internet", Number(path[1]), "address"], message);
}
