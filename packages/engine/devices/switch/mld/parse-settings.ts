/** Parses the property `mld_snooping`: as `igmp_snooping`, with a querier of IPv6: { "address", "version" }. */

import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { formatIpv6, isLinkLocal, parseIpv6 } from "../../../wire/ipv6-address.ts";
import type { MldQuerierSettings } from "./settings.ts";

export function readMldQuerier(
  reader: PropertyReader,
  value: unknown,
  path: Path,
): MldQuerierSettings | undefined {
  const given = reader.object(value, path, ["address", "version"]);
  if (given === null) return undefined;
  const version = given.version ?? 2;
  if (version !== 1 && version !== 2) reader.add([...path, "version"], "must be 1 or 2");
  const at = [...path, "address"];
  const address = reader.optional(given.address, (text) =>
    reader.parsed(text, at, parseIpv6, "an IPv6 address"),
  );
  // RFC 3810, 5.1.14: hosts ignore queries from other addresses.
  if (address != null && !isLinkLocal(address))
    reader.add(at, `${formatIpv6(address)} is not a link-local address (fe80::1)`);
  return { ...(address != null && { address: formatIpv6(address) }), version: version as 1 | 2 };
}
