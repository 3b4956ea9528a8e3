/** Parses the property `igmp_snooping`: true, or { "interval", "fast_leave", "flood_unknown", "router_ports", "querier": { "address", "version" } }. */
import { formatIpv4, isMulticastIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import type { PropertyReader } from "../../property-reader.ts";
import { readFlag, readIntegerOr, readPortList, type SwitchShape } from "../settings/reader.ts";
import { IGMP_DEFAULTS, type IgmpSettings, type QuerierSettings } from "./settings.ts";

/** Seconds; a query of version 3 states up to 127 without an exponent (RFC 3376, 4.1.7). */
const INTERVAL = [10, 127] as const;
const KEYS = ["interval", "fast_leave", "flood_unknown", "router_ports", "querier"];
const PATH = ["igmp_snooping"] as const;

/** @returns undefined if it is off. */
export function readIgmp(
  reader: PropertyReader,
  value: unknown,
  shape: SwitchShape,
): IgmpSettings | undefined {
  if (value === false) return undefined;
  if (value === true) return { ...IGMP_DEFAULTS, router_ports: [] };
  if (typeof value !== "object") {
    reader.add(PATH, "must be true, false or an object");
    return undefined;
  }
  const given = reader.object(value, PATH, KEYS);
  if (given === null) return undefined;
  const flag = (key: "fast_leave" | "flood_unknown"): boolean =>
    readFlag(reader, given[key], [...PATH, key], IGMP_DEFAULTS[key]);
  const querier = given.querier === undefined ? undefined : readQuerier(reader, given.querier);
  return {
    interval: readIntegerOr(reader, given.interval, [...PATH, "interval"], IGMP_DEFAULTS.interval, INTERVAL),
    fast_leave: flag("fast_leave"),
    flood_unknown: flag("flood_unknown"),
    router_ports:
      given.router_ports === undefined
        ? []
        : readPortList(reader, given.router_ports, [...PATH, "router_ports"], shape),
    ...(querier && { querier }),
  };
}

function readQuerier(reader: PropertyReader, value: unknown): QuerierSettings | undefined {
  const path = [...PATH, "querier"];
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
