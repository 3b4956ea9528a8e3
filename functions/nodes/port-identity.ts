/**
 * The ports of switches, hubs and clouds in a change: cables are at places of `ports_mapping`, so a port with a cable stays at its place.
 * The number and the name of an entry identify its port in the mapping alone (docs/interface.md, section 4.5).
 */
import { failureOf } from "../shared/edge/errors.ts";
import { PORT_ERRORS } from "../shared/edge/own-errors/port.ts";
import type { Properties } from "../shared/node/hardware.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";

interface Entry {
  readonly name?: unknown;
  readonly port_number?: unknown;
}

const entriesOf = (properties: Properties | undefined): readonly Entry[] => {
  const mapping = properties?.ports_mapping;
  return Array.isArray(mapping) ? mapping : [];
};

const KEYS = ["port_number", "name"] as const;

/** @throws ApiError `node.port-repeated` for two entries with one number or one name. */
export function refuseRepeatedPorts(properties: Properties | undefined): void {
  for (const key of KEYS) {
    const seen = new Set<unknown>();
    for (const entry of entriesOf(properties)) {
      const value = entry?.[key];
      if (value === undefined) continue;
      if (seen.has(value)) throw failureOf(PORT_ERRORS, "node.port-repeated", { what: `${key} ${value}` });
      seen.add(value);
    }
  }
}

const identityOf = ({ port_number, name }: Entry): unknown => port_number ?? name;

/** @throws ApiError `node.port-moved` when another port would be at a place with a cable. */
export function refuseMovedPorts(node: NodeItem, after: Properties | undefined): void {
  const [old, now] = [entriesOf(node.document.properties), entriesOf(after)];
  for (const key of Object.keys(node.links)) {
    const place = Number(key.split("_")[1]);
    const [was, is] = [old[place], now[place]];
    if (was && is && identityOf(was) !== identityOf(is))
      throw failureOf(PORT_ERRORS, "node.port-moved", { port: String(was.name), other: String(is.name) });
  }
}
