/** Parses the property `lldp` of a switch: true, or { "interval", "hold", "fast_count", "ports": { "0": "rx" } }. */
import type { PropertyReader } from "../../../settings/property-reader.ts";
import { readByPort, readIntegerOr, readOneOf, type SwitchShape } from "../settings/reader.ts";
import { LLDP_DEFAULTS, type LldpMode, type LldpSettings } from "./settings.ts";

/** Bounds: IEEE 802.1AB-2009, 11.5.1. */
const INTERVAL = [1, 3_600] as const;
const HOLD = [1, 100] as const;
const FAST_COUNT = [1, 8] as const;

/** @returns undefined if it is off. */
export function readLldp(
  reader: PropertyReader,
  value: unknown,
  shape: SwitchShape,
): LldpSettings | undefined {
  if (value === false) return undefined;
  const port_names = shape.portNames;
  if (value === true) return { ...LLDP_DEFAULTS, ports: {}, port_names };
  if (typeof value !== "object") {
    reader.add(["lldp"], "must be true, false or an object");
    return undefined;
  }
  const given = reader.object(value, ["lldp"], ["interval", "hold", "fast_count", "ports"]);
  if (given === null) return undefined;
  const integer = (key: keyof typeof LLDP_DEFAULTS, bounds: readonly [number, number]): number =>
    readIntegerOr(reader, given[key], ["lldp", key], LLDP_DEFAULTS[key], bounds);
  const modes = readByPort(reader, given.ports ?? {}, ["lldp", "ports"], shape, (mode, path) =>
    readOneOf<LldpMode>(reader, mode, path, ["both", "tx", "rx", "off"], "both"),
  );
  return {
    interval: integer("interval", INTERVAL),
    hold: integer("hold", HOLD),
    fast_count: integer("fast_count", FAST_COUNT),
    ports: Object.fromEntries(modes),
    port_names,
  };
}
