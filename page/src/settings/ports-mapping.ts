/** The ports of a switch, hub or cloud: each is numbered by its place in the list. */
import type { Row } from "./form.ts";
import type { Properties } from "./values.ts";

export const PORTS_MAPPING = "ports_mapping";

/** A port that has no name yet gets one. */
export const numberedPorts = (ports: readonly unknown[]): readonly unknown[] =>
  ports.map((port, index) => ({ name: `Ethernet${index}`, ...(port as Properties), port_number: index }));

/** A new port is like the last one; the first one has the defaults. */
export function newPort(ports: readonly unknown[], rows: readonly Row[]): Properties {
  const defaults = rows.flatMap(({ key, otherwise }) => (otherwise === undefined ? [] : [[key, otherwise]]));
  const last = ports.at(-1) as Properties | undefined;
  const { name: _name, ...rest } = last ?? Object.fromEntries(defaults);
  return rest;
}
