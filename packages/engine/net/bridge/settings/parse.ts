/** Reads the settings of a switch, and compares them with its ports and with each other. */
import { type Path, type Problem, PropertyReader } from "../../../settings/property-reader.ts";
import { readDraft } from "../../../settings/shape.ts";
import type { SwitchShape } from "./kinds.ts";
import { SWITCH, type SwitchSettings } from "./settings.ts";

type ParsedSwitch =
  | { readonly ok: true; readonly settings: SwitchSettings }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** @param given properties, among which those of clients are ignored. */
export function parseSwitch(given: Readonly<Record<string, unknown>>, shape: SwitchShape): ParsedSwitch {
  const reader = new PropertyReader();
  const draft = readDraft<SwitchShape, typeof SWITCH>(reader, switchPropertiesOf(given), [], SWITCH, shape);
  const settings: SwitchSettings = Object.fromEntries(
    Object.entries(draft ?? {}).filter(([, value]) => value !== null),
  );
  checkMirror(reader, settings);
  checkBundles(reader, settings);
  return reader.problems.length === 0 ? { ok: true, settings } : { ok: false, problems: reader.problems };
}

export const SWITCH_PROPERTIES: readonly string[] = Object.keys(SWITCH);

/** Returns those of an object's fields that are properties of a switch. */
export const switchPropertiesOf = (given: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    SWITCH_PROPERTIES.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );

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
