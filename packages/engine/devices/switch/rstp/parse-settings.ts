/**
 * Parses the property `rstp` of a switch:
 *
 *     true, or { "mode", "priority", "hello_time", "max_age", "forward_delay",
 *                "ports": { "0": { "cost", "priority", "edge", "bpdu_guard", "root_guard" } } }
 *
 * `false` and an absent value are no spanning tree. Bounds: IEEE 802.1D-2004, tables 17-1 to 17-3 and 17.14.
 */
import { type Path, type Problem, PropertyReader } from "../../../settings/property-reader.ts";
import { bridgeMac } from "../bridge-mac.ts";
import type { RstpSpec } from "./bridge.ts";
import { RSTP_DEFAULTS, RSTP_PORT_DEFAULTS, type RstpPortSettings, type RstpSettings } from "./settings.ts";

export type ParsedRstp =
  | { readonly ok: true; readonly rstp: RstpSpec | undefined }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const KEYS = ["mode", "priority", "hello_time", "max_age", "forward_delay", "ports"];
const PORT_KEYS = Object.keys(RSTP_PORT_DEFAULTS);

/** @param name of the switch: its address is made from it. @param ports how many the switch has. */
export function parseRstp(input: unknown, name: string, ports: number): ParsedRstp {
  if (input === undefined || input === false) return { ok: true, rstp: undefined };
  const reader = new PropertyReader();
  const settings = input === true ? RSTP_DEFAULTS : readSettings(reader, input, ports);
  if (settings === undefined || reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return { ok: true, rstp: { ...settings, mac: bridgeMac(name) } };
}

function readSettings(reader: PropertyReader, input: unknown, ports: number): RstpSettings | undefined {
  if (typeof input !== "object") {
    reader.add([], "must be true, false or an object");
    return undefined;
  }
  const given = reader.object(input, [], KEYS);
  if (given === null) return undefined;
  const integer = (key: string, fallback: number, min: number, max: number, step = 1): number =>
    readInteger(reader, given[key], [key], fallback, { min, max, step });
  const settings = {
    mode: readMode(reader, given.mode),
    priority: integer("priority", RSTP_DEFAULTS.priority, 0, 61_440, 4_096),
    hello_time: integer("hello_time", RSTP_DEFAULTS.hello_time, 1, 2),
    max_age: integer("max_age", RSTP_DEFAULTS.max_age, 6, 40),
    forward_delay: integer("forward_delay", RSTP_DEFAULTS.forward_delay, 4, 30),
    ports: readPorts(reader, given.ports, ports),
  };
  const { hello_time, max_age, forward_delay } = settings;
  if (2 * (forward_delay - 1) < max_age)
    reader.add(["max_age"], `must be at most 2 x (forward_delay - 1), which is ${2 * (forward_delay - 1)}`);
  if (max_age < 2 * (hello_time + 1))
    reader.add(["max_age"], `must be at least 2 x (hello_time + 1), which is ${2 * (hello_time + 1)}`);
  return settings;
}

function readMode(reader: PropertyReader, value: unknown): RstpSettings["mode"] {
  if (value === undefined || value === "rstp" || value === "stp") return value ?? "rstp";
  reader.add(["mode"], "must be rstp or stp");
  return "rstp";
}

function readPorts(reader: PropertyReader, value: unknown, count: number): RstpSettings["ports"] {
  if (value === undefined) return {};
  const numbers = Array.from({ length: count }, (_, port) => String(port));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    reader.add(["ports"], "must be an object whose keys are numbers of ports");
    return {};
  }
  const ports: Record<string, RstpPortSettings> = {};
  for (const [number, given] of Object.entries(value)) {
    if (numbers.includes(number)) ports[number] = readPort(reader, given, ["ports", number]);
    else reader.add(["ports", number], `is not a port of the switch, which has ports 0 to ${count - 1}`);
  }
  return ports;
}

function readPort(reader: PropertyReader, value: unknown, path: Path): RstpPortSettings {
  const given = reader.object(value, path, PORT_KEYS) ?? {};
  const flag = (key: "bpdu_guard" | "root_guard"): boolean =>
    reader.optional(given[key], (each) => reader.boolean(each, [...path, key])) ?? RSTP_PORT_DEFAULTS[key];
  const edge = given.edge ?? RSTP_PORT_DEFAULTS.edge;
  if (edge !== "auto" && typeof edge !== "boolean")
    reader.add([...path, "edge"], "must be true, false or auto");
  return {
    cost: readInteger(reader, given.cost, [...path, "cost"], RSTP_PORT_DEFAULTS.cost, {
      min: 1,
      max: 200_000_000,
      step: 1,
    }),
    priority: readInteger(reader, given.priority, [...path, "priority"], RSTP_PORT_DEFAULTS.priority, {
      min: 0,
      max: 240,
      step: 16,
    }),
    edge: edge as RstpPortSettings["edge"],
    bpdu_guard: flag("bpdu_guard"),
    root_guard: flag("root_guard"),
  };
}

function readInteger(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  fallback: number,
  { min, max, step }: { readonly min: number; readonly max: number; readonly step: number },
): number {
  if (value === undefined) return fallback;
  const given = reader.integer(value, path, min, max);
  if (given === null) return fallback;
  if (given % step !== 0) reader.add(path, `must be a multiple of ${step}, not ${given}`);
  return given;
}
