/** Parses the querier of the property `igmp_snooping`: { "address", "version" }. */

import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { formatIpv4, isMulticastIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import type { IgmpQuerierSettings } from "./settings.ts";

export function readIgmpQuerier(
  reader: PropertyReader,
  value: unknown,
  path: Path,
): IgmpQuerierSettings | undefined {
  const given = reader.object(value, path, ["address", "version"]);
  if (given === null) return undefined;
  const version = given.version ?? 3;
  if (version !== 2 && version !== 3) reader.add([...path, "version"], "must be 2 or 3");
  const at = [...path, "address"];
  const address = reader.parsed(given.address, at, parseIpv4, "an IPv4 address");
  if (address === null) return undefined;
  if (address === 0 || isMulticastIpv4(address))
    reader.add(at, `${formatIpv4(address)} is not an address of a host`);
  return { address, version: version as 2 | 3 };
}
