/** The properties and the port of a server; loaded on first use. */
import { PORT_NAME } from "@wirelab/engine/devices/server/config";
import { parseServerProperties } from "@wirelab/engine/devices/server/properties";
import * as z from "zod/mini";
import { divideSettings, invalidAt, parse } from "./container-settings.ts";
import { ethernetPort, type Hardware, type Properties, withoutNulls } from "./hardware.ts";

const adaptersSchema = z.optional(z.literal(1));

/**
 * Validates the properties. Those of the server itself are returned as they were given.
 * @param before the node that a PUT changes: it keeps what `given` does not name.
 * @throws ApiError 400 that names the invalid values under `body.properties`.
 */
export function makeServerHardware(given: Properties, before?: Hardware): Hardware {
  const { container, own, adapters } = divideSettings("server", given, before?.container);
  parse(adaptersSchema, adapters, ["adapters"]);
  const properties = withoutNulls({ ...before?.properties, ...own });
  const parsed = parseServerProperties(properties);
  if (!parsed.ok) throw invalidAt(parsed.problems);
  return { properties, ports: [ethernetPort(PORT_NAME, 0)], container };
}
