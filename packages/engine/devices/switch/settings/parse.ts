/**
 * Parses the properties of a switch, and compares them with its ports and with each other. `docs/devices/switch.md` lists them.
 */
import { type Problem, PropertyReader } from "../../property-reader.ts";
import { readLldp } from "../lldp/parse-settings.ts";
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
    lldp: read(given.lldp, (value) => readLldp(reader, value, shape) ?? null),
  });
  checkMirror(reader, settings);
  return reader.problems.length === 0 ? { ok: true, settings } : { ok: false, problems: reader.problems };
}

type Known = Required<SwitchSettings>;

/** Without the settings that are off. */
const present = (all: { [K in keyof Known]: Known[K] | undefined }): SwitchSettings =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

/** The destination of a mirror has no other task. */
function checkMirror(
  reader: PropertyReader,
  { mirror, static_macs, isolated_ports, storm_control, rstp, lldp }: SwitchSettings,
): void {
  if (mirror === undefined) return;
  const { destination } = mirror;
  const refuse = (...path: (string | number)[]): void => {
    reader.add(
      path,
      `port ${destination} is the destination of the mirror, which carries mirrored frames only`,
    );
  };
  for (const [index, { port }] of (static_macs ?? []).entries())
    if (port === destination) refuse("static_macs", index, "port");
  const isolated = isolated_ports?.indexOf(destination) ?? -1;
  if (isolated >= 0) refuse("isolated_ports", isolated);
  if (storm_control?.[destination]) refuse("storm_control", destination);
  if (rstp?.ports[destination]) refuse("rstp", "ports", destination);
  if (lldp?.ports[destination]) refuse("lldp", "ports", destination);
}
