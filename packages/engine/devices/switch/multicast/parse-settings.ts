/** Parses `igmp_snooping` and `mld_snooping`: true, or { "interval", "fast_leave", "flood_unknown", "router_ports", "querier" }. */
import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { readFlag, readIntegerOr, readPortList, type SwitchShape } from "../settings/reader.ts";
import { SNOOPING_DEFAULTS, type SnoopingSettings } from "./settings.ts";

/** Seconds; a query of IGMP version 3 or MLD version 2 states up to 127 without an exponent (RFC 3376, 4.1.7; RFC 3810, 5.1.9). */
const INTERVAL = [10, 127] as const;
const KEYS = ["interval", "fast_leave", "flood_unknown", "router_ports", "querier"];

/** @returns undefined if it is off. */
export function readSnooping<Q>(
  reader: PropertyReader,
  value: unknown,
  name: "igmp_snooping" | "mld_snooping",
  shape: SwitchShape,
  readQuerier: (reader: PropertyReader, value: unknown, path: Path) => Q | undefined,
): SnoopingSettings<Q> | undefined {
  const path = [name];
  if (value === false) return undefined;
  if (value === true) return { ...SNOOPING_DEFAULTS, router_ports: [] };
  if (typeof value !== "object") {
    reader.add(path, "must be true, false or an object");
    return undefined;
  }
  const given = reader.object(value, path, KEYS);
  if (given === null) return undefined;
  const flag = (key: "fast_leave" | "flood_unknown"): boolean =>
    readFlag(reader, given[key], [...path, key], SNOOPING_DEFAULTS[key]);
  const querier =
    given.querier === undefined ? undefined : readQuerier(reader, given.querier, [...path, "querier"]);
  return {
    interval: readIntegerOr(
      reader,
      given.interval,
      [...path, "interval"],
      SNOOPING_DEFAULTS.interval,
      INTERVAL,
    ),
    fast_leave: flag("fast_leave"),
    flood_unknown: flag("flood_unknown"),
    router_ports:
      given.router_ports === undefined
        ? []
        : readPortList(reader, given.router_ports, [...path, "router_ports"], shape),
    ...(querier && { querier }),
  };
}
