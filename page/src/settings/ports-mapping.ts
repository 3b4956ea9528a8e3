/** The ports of a switch, hub or cloud: each is numbered by its place in the list. */
import type { Properties } from "./values.ts";

export const PORTS_MAPPING = "ports_mapping";

/** Names and numbers the ports that have no name yet; a port that is added to a switch is like the last one. */
export const numberedPorts = (ports: readonly unknown[]): readonly unknown[] =>
  ports.map((port, index) => {
    const given = port as Properties;
    const isNew = Object.keys(given).length === 0;
    const last = (isNew ? (ports[index - 1] ?? {}) : {}) as Properties;
    return { ...last, name: `Ethernet${index}`, ...given, port_number: index };
  });
