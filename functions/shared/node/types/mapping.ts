/** `ports_mapping`: the ports of a switch, hub or cloud. */
import { MOST_MAPPED_PORTS } from "@wirelab/engine/devices/node-kind";
import * as z from "zod/mini";
import type { Properties } from "../hardware.ts";

const DEFAULT_PORTS = 8;

export const portName = z.string().check(z.minLength(1), z.maxLength(255));
export const portNumber = z.int().check(z.minimum(0), z.maximum(65_535));

/** Instructions that clients show. */
export const usage = z.optional(z.string().check(z.maxLength(16_384)));

export const defaultPorts = Array.from({ length: DEFAULT_PORTS }, (_, index) => ({
  name: `Ethernet${index}`,
  port_number: index,
}));

/** A list of at least one port; absent: the ports of a new node. */
export const mappingOf = <E extends z.ZodMiniType>(entry: E, otherwise: z.output<E>[]) =>
  z._default(z.array(entry).check(z.minLength(1), z.maxLength(MOST_MAPPED_PORTS)), () => otherwise as never);

/** The properties that have a value, of those with these names. */
export const pick = (given: Properties, keys: readonly string[]): Properties =>
  Object.fromEntries(keys.flatMap((key) => (given[key] == null ? [] : [[key, given[key]]])));

/** @param portOf completes an entry: early releases leave out the names of ports. */
export const importedPorts =
  (portOf: (port: Properties) => object) =>
  ({ ports_mapping }: Properties): Properties => {
    if (!Array.isArray(ports_mapping)) return {};
    const completed = ports_mapping.map((port: unknown, index) =>
      typeof port === "object" && port !== null
        ? portOf({ name: `Ethernet${index}`, port_number: index, ...port })
        : port,
    );
    return { ports_mapping: completed };
  };
