/** The properties and ports of a router; loaded on first use. */

import { DEFAULT_PORTS, MAX_PORTS } from "@wirelab/engine/devices/router/config";
import { parseRouterProperties } from "@wirelab/engine/devices/router/properties";
import * as z from "zod/mini";
import { invalidRequest } from "../edge/errors.ts";
import { type CONTAINER_DEFAULTS, isRouterImage } from "../schemas/router-image.ts";
import { ethernetPort, type Hardware, type Properties, withoutNulls } from "./hardware.ts";

const text = z.nullable(z.string().check(z.maxLength(16_384)));
const shape: Record<keyof typeof CONTAINER_DEFAULTS, z.ZodMiniType> = {
  console_http_path: text,
  console_http_port: z.nullable(z.int().check(z.minimum(1), z.maximum(65_535))),
  console_resolution: text,
  environment: text,
  extra_hosts: text,
  extra_volumes: z.nullable(z.array(z.string().check(z.maxLength(4_096))).check(z.maxLength(64))),
  mac_address: text,
  start_command: text,
  usage: text,
};
const containerSchema = z.partial(z.strictObject(shape));
const adaptersSchema = z.optional(z.int().check(z.minimum(1), z.maximum(MAX_PORTS)));
const imageSchema = z.optional(z.string().check(z.refine(isRouterImage, "is not wirelab/router")));

/**
 * Validates the properties. Those of the router itself are returned as they were given.
 * @param before the node that a PUT changes: it keeps what `given` does not name.
 * @throws ApiError 400 that names the invalid values under `body.properties`.
 */
export function makeRouterHardware(given: Properties, before?: Hardware): Hardware {
  const { image, adapters, ...others } = given;
  parse(imageSchema, image, ["image"]);
  const [settings, routing] = split(others, (key) => key in shape);
  const container = { ...before?.container, ...parse(containerSchema, settings, []) };
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
    container: withoutNulls(container),
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

function parse<S extends z.ZodMiniType>(schema: S, value: unknown, path: readonly string[]): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidAt(
    result.error.issues.map((issue) => ({
      path: [...path, ...issue.path.map(String)],
      message: issue.message,
    })),
  );
}

const invalidAt = (problems: readonly { path: readonly (string | number)[]; message: string }[]): Error =>
  invalidRequest(
    problems.map(({ path, message }) => ({ path: ["body.properties", ...path].join("."), message })),
  );

function split(all: Properties, isFirst: (key: string) => boolean): [Properties, Properties] {
  const [first = [], second = []] = [true, false].map((wanted) =>
    Object.entries(all).filter(([key]) => isFirst(key) === wanted),
  );
  return [Object.fromEntries(first), Object.fromEntries(second)];
}
