/** Parses the properties of a switch's ports and of its table of addresses. */

import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { isGroupMac } from "../../../wire/mac.ts";
import type { Mirror, MirrorDirection } from "../mirror.ts";
import { belongs } from "../ports.ts";
import { STORM_KINDS, type StormControl, type StormLimits } from "../storm-control.ts";
import {
  readByPort,
  readMacAddress,
  readOneOf,
  readPortList,
  readPortNumber,
  type SwitchShape,
} from "./reader.ts";
import type { StaticMac } from "./settings.ts";

const MAX_STATIC_MACS = 256;
const MAX_VLAN = 4_094;
/** More packets than a link of 10 Gb/s carries are no limit. */
const MAX_PACKETS_PER_SECOND = 10_000_000;

export function readStaticMacs(reader: PropertyReader, value: unknown, shape: SwitchShape): StaticMac[] {
  const found: StaticMac[] = [];
  const list = reader.array(value, ["static_macs"], 0, MAX_STATIC_MACS) ?? [];
  for (const [index, each] of list.entries()) {
    const path: Path = ["static_macs", index];
    const given = reader.object(each, path, ["mac", "vlan", "port"]);
    if (given === null) continue;
    const mac = readMacAddress(reader, given.mac, [...path, "mac"]);
    const port = readPortNumber(reader, given.port, [...path, "port"], shape);
    if (mac === null || port === undefined) continue;
    const own = shape.ports[port]!;
    const vlan =
      given.vlan === undefined ? own.vlan : reader.integer(given.vlan, [...path, "vlan"], 1, MAX_VLAN);
    if (vlan === null) continue;
    if (isGroupMac(mac)) reader.add([...path, "mac"], "is a group address; it must be that of one station");
    else if (!belongs(own, vlan)) reader.add([...path, "vlan"], `is not a VLAN of port ${port}`);
    else if (found.some((other) => other.mac === mac && other.vlan === vlan))
      reader.add([...path, "mac"], `has an entry in VLAN ${vlan} already`);
    else found.push({ mac, vlan, port });
  }
  return found;
}

export const readIsolatedPorts = (reader: PropertyReader, value: unknown, shape: SwitchShape): number[] =>
  readPortList(reader, value, ["isolated_ports"], shape);

export function readStormControl(reader: PropertyReader, value: unknown, shape: SwitchShape): StormControl {
  const readLimits = (limits: unknown, path: Path): StormLimits | undefined => {
    const given = reader.object(limits, path, STORM_KINDS);
    if (given === null) return undefined;
    const kinds = STORM_KINDS.filter((kind) => given[kind] !== undefined);
    if (kinds.length === 0) reader.add(path, `must limit one of ${STORM_KINDS.join(", ")}`);
    return Object.fromEntries(
      kinds.map((kind) => [
        kind,
        reader.integer(given[kind], [...path, kind], 1, MAX_PACKETS_PER_SECOND) ?? 1,
      ]),
    );
  };
  return Object.fromEntries(readByPort(reader, value, ["storm_control"], shape, readLimits));
}

export function readMirror(reader: PropertyReader, value: unknown, shape: SwitchShape): Mirror | undefined {
  const given = reader.object(value, ["mirror"], ["destination", "sources"]);
  if (given === null) return undefined;
  const destination = readPortNumber(reader, given.destination, ["mirror", "destination"], shape);
  const sources = readByPort(reader, given.sources, ["mirror", "sources"], shape, (each, path) =>
    readOneOf<MirrorDirection>(reader, each, path, ["rx", "tx", "both"], "both"),
  );
  if (destination === undefined) return undefined;
  if (sources.has(destination))
    reader.add(["mirror", "sources", destination], "is the destination, which cannot be a source");
  else if (sources.size === 0 && reader.problems.length === 0)
    reader.add(["mirror", "sources"], "must have a port");
  return { destination, sources: Object.fromEntries(sources) };
}
