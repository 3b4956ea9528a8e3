/** The properties and ports of each node type that runs here (docs/interface.md, section 4.5). */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import { invalidAt } from "../edge/errors.ts";
import type { KnownType } from "../schemas/node.ts";
import { hasImage, type ImageType } from "../schemas/router-image.ts";
import { arePortsChanged, divideSettings } from "./container-settings.ts";
import {
  ethernetPort,
  type Hardware,
  PROPERTIES,
  type Properties,
  parse,
  split,
  withoutNulls,
} from "./hardware.ts";
import { serviceTypeOf } from "./service-types.ts";

/**
 * @param given replaces the named properties of `before`; null removes one.
 * @throws ApiError 400 that names the invalid values under `body.properties`.
 */
export async function makeHardware(
  type: KnownType,
  given: Properties = {},
  before?: Hardware,
): Promise<Hardware> {
  const { make, client, ignored = [], stored, ports } = serviceTypeOf(type);
  if (make) return make(given, before);
  if (hasImage(type)) return makeContainer(type, given, before);
  const all = withoutNulls({ ...before?.properties, ...given });
  const isClients = (key: string): boolean => client !== undefined && key in client.shape;
  const rows = Object.keys(all).every(isClients) ? [] : await rowsOf(type);
  const [forEngine, forClient] = split(all, (key) => !isClients(key) && (!client || rows.includes(key)));
  const [, own] = split(client ? parse(client, forClient) : {}, (key) => ignored.includes(key));
  const properties = { ...own, ...forEngine };
  if (client && Object.keys(forEngine).length === 0) return { properties, ports: portsOf(properties, ports) };
  const read = await readNode(type, properties);
  return { properties: { ...properties, ...stored?.(read.spec) }, ports: read.ports.map(ethernetPort) };
}

/** Numbers a switch's or hub's ports by their place in the mapping, and ignores the numbers of its entries. */
const portsOf = ({ ports_mapping }: Properties, ports?: readonly string[]) =>
  (ports ?? (ports_mapping as { name: string }[]).map(({ name }) => name)).map(ethernetPort);

/** The properties of the device itself are stored as they were given. */
async function makeContainer(type: ImageType, given: Properties, before?: Hardware): Promise<Hardware> {
  const { container, own, adapters } = divideSettings(type, given, before);
  const resized = resizedPorts(type, own.ports, adapters, before);
  const properties = withoutNulls({ ...before?.properties, ...own, ...resized });
  const { ports } = await readNode(type, properties);
  return { properties, ports: ports.map(ethernetPort), container };
}

/** Returns the ports for a changed number of adapters, unless the request changes the ports themselves. */
function resizedPorts(
  type: ImageType,
  given: unknown,
  adapters: number | undefined,
  before: Hardware | undefined,
): Properties {
  const count = before?.ports.length ?? kindOf(type).template.adapters;
  if (arePortsChanged(given, before) || adapters === undefined || adapters === count) return {};
  const old = before?.properties.ports;
  const kept = Array.isArray(old) ? old : [];
  return { ports: Array.from({ length: adapters }, (_, index) => kept[index] ?? {}) };
}

// Both are loaded on first use: most nodes have few properties, and the code of routers is large.

/** The names of the properties that the engine reads. */
async function rowsOf(type: KnownType): Promise<readonly string[]> {
  const { PROPERTY_SCHEMAS } = await import("@wirelab/engine/devices/property-schemas");
  return Object.keys(PROPERTY_SCHEMAS[type]?.() ?? {});
}

async function readNode(type: KnownType, properties: Properties) {
  const { READERS } = await import("@wirelab/engine/devices/readers");
  // Nothing is made from the name and the number that the checks see.
  const read = READERS[type](properties, { name: "", index: 0 });
  if (!read.ok) throw invalidAt(PROPERTIES, read.problems);
  return read;
}
