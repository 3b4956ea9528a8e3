/** The properties and ports of a router; loaded on first use. */

import { DEFAULT_PORTS, MAX_PORTS } from "@wirelab/engine/devices/router/config";
import { parseRouterProperties } from "@wirelab/engine/devices/router/properties";
import * as z from "zod/mini";
import { divideSettings, invalidAt, parse } from "./container-settings.ts";
import { ethernetPort, type Hardware, type Properties, withoutNulls } from "./hardware.ts";

const adaptersSchema = z.optional(z.int().check(z.minimum(1), z.maximum(MAX_PORTS)));

/**
 * Validates the properties. Those of the router itself are returned as they were given.
 * @param before the node that a PUT changes: it keeps what `given` does not name.
 * @throws ApiError 400 that names the invalid values under `body.properties`.
 */
export function makeRouterHardware(given: Properties, before?: Hardware): Hardware {
  const { container, own: routing, adapters } = divideSettings("router", given, before?.container);
  const properties = withoutNulls({
    ...before?.properties,
    ...routing,
    ...resized(routing.ports, parse(adaptersSchema, adapters, ["adapters"]), before),
  });
  const parsed = parseRouterProperties(properties);
  if (!parsed.ok) throw invalidAt(parsed.problems);
  return {
    properties,
    ports: parsed.config.ports.map((port, index) => ethernetPort(port.name, index)),
    container,
  };
}

/** Returns the ports for a changed number of adapters, unless the request changes the ports themselves. */
function resized(given: unknown, adapters: number | undefined, before: Hardware | undefined): Properties {
  const old = before?.properties.ports;
  const count = before?.ports.length ?? DEFAULT_PORTS;
  const isChanged = given !== undefined && JSON.stringify(given) !== JSON.stringify(old);
  if (isChanged || adapters === undefined || adapters === count) return {};
  const kept = Array.isArray(old) ? old : [];
  return { ports: Array.from({ length: adapters }, (_, index) => kept[index] ?? {}) };
}
