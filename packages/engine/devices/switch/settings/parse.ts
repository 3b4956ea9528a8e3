/**
 * Parses the properties of a switch, and compares them with its ports and with each other. `docs/devices/switch.md` lists them.
 */
import { type Path, type Problem, PropertyReader } from "../../../settings/property-reader.ts";
import { readIgmpQuerier } from "../igmp/parse-settings.ts";
import { readBundles } from "../lacp/parse-settings.ts";
import { readLldp } from "../lldp/parse-settings.ts";
import { readMldQuerier } from "../mld/parse-settings.ts";
import { readSnooping } from "../multicast/parse-settings.ts";
import { parseRstp } from "../rstp/parse-settings.ts";
import type { SwitchProperties } from "./names.ts";
import { readIsolatedPorts, readMirror, readStaticMacs, readStormControl } from "./parse-ports.ts";
import type { SwitchShape } from "./reader.ts";
import type { SwitchSettings } from "./settings.ts";

export type ParsedSwitch =
  | { readonly ok: true; readonly settings: SwitchSettings }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Seconds (IEEE 802.1Q, table 8-6). */
const AGEING_TIME = [10, 1_000_000] as const;
/** Bytes: from the smallest MTU of IPv4 (RFC 791) to the largest frames of common switches. */
const MTU = [68, 9_216] as const;

export function parseSwitch(given: SwitchProperties, shape: SwitchShape): ParsedSwitch {
  const reader = new PropertyReader();
  const tree = parseRstp(given.rstp, shape.name, shape.ports.length);
  if (!tree.ok) for (const { path, message } of tree.problems) reader.add(["rstp", ...path], message);
  const read = <T>(value: unknown, parse: (value: unknown) => T | null): T | undefined =>
    reader.optional(value, parse) ?? undefined;
  const settings = present({
    rstp: tree.ok ? tree.rstp : undefined,
    ageing_time: read(given.ageing_time, (value) => reader.integer(value, ["ageing_time"], ...AGEING_TIME)),
    static_macs: read(given.static_macs, (value) => readStaticMacs(reader, value, shape)),
    isolated_ports: read(given.isolated_ports, (value) => readIsolatedPorts(reader, value, shape)),
    storm_control: read(given.storm_control, (value) => readStormControl(reader, value, shape)),
    mirror: read(given.mirror, (value) => readMirror(reader, value, shape) ?? null),
    mtu: read(given.mtu, (value) => reader.integer(value, ["mtu"], ...MTU)),
    bundles: read(given.bundles, (value) => readBundles(reader, value, shape)),
    igmp_snooping: read(
      given.igmp_snooping,
      (value) => readSnooping(reader, value, "igmp_snooping", shape, readIgmpQuerier) ?? null,
    ),
    mld_snooping: read(
      given.mld_snooping,
      (value) => readSnooping(reader, value, "mld_snooping", shape, readMldQuerier) ?? null,
    ),
    lldp: read(given.lldp, (value) => readLldp(reader, value, shape) ?? null),
  });
  checkMirror(reader, settings);
  checkBundles(reader, settings);
  return reader.problems.length === 0 ? { ok: true, settings } : { ok: false, problems: reader.problems };
}

type Known = Required<SwitchSettings>;

/** Without the settings that are off. */
const present = (all: { [K in keyof Known]: Known[K] | undefined }): SwitchSettings =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

type Place = readonly [port: number, path: Path];

/** Where the settings name a port as one that learns, forwards or has a place in the spanning tree. */
function forwardingPlaces(settings: SwitchSettings): Place[] {
  const { static_macs, isolated_ports, storm_control, rstp, igmp_snooping, mld_snooping } = settings;
  const numbersOf = (byPort: object | undefined): number[] => Object.keys(byPort ?? {}).map(Number);
  return [
    ...(static_macs ?? []).map(({ port }, index): Place => [port, ["static_macs", index, "port"]]),
    ...(isolated_ports ?? []).map((port, index): Place => [port, ["isolated_ports", index]]),
    ...numbersOf(storm_control).map((port): Place => [port, ["storm_control", port]]),
    ...(igmp_snooping?.router_ports ?? []).map(
      (port, index): Place => [port, ["igmp_snooping", "router_ports", index]],
    ),
    ...(mld_snooping?.router_ports ?? []).map(
      (port, index): Place => [port, ["mld_snooping", "router_ports", index]],
    ),
    ...numbersOf(rstp?.ports).map((port): Place => [port, ["rstp", "ports", port]]),
  ];
}

/** The destination of a mirror has no other task. */
function checkMirror(reader: PropertyReader, settings: SwitchSettings): void {
  const { mirror, lldp, bundles } = settings;
  if (mirror === undefined) return;
  const { destination } = mirror;
  const places = [
    ...forwardingPlaces(settings),
    ...Object.keys(lldp?.ports ?? {}).map((port): Place => [Number(port), ["lldp", "ports", port]]),
    ...(bundles ?? []).flatMap(({ ports }, index) =>
      ports.map((port): Place => [port, ["bundles", index, "ports"]]),
    ),
  ];
  for (const [port, path] of places)
    if (port === destination)
      reader.add(path, `port ${port} is the destination of the mirror, which carries mirrored frames only`);
}

/** A bundle has one set of settings: those of its first port. */
function checkBundles(reader: PropertyReader, settings: SwitchSettings): void {
  const { bundles = [] } = settings;
  for (const [port, path] of forwardingPlaces(settings)) {
    const first = bundles.find(({ ports }) => ports.includes(port))?.ports[0];
    if (first !== undefined && first !== port)
      reader.add(path, `port ${port} is in the bundle of port ${first}; name that port`);
  }
}
