/** Reads the properties of a hub. */
import { type NodeReader, reading } from "../node-reader.ts";
import { readPortNames } from "../ports-mapping.ts";
import type { HubSpec } from "./index.ts";

export const readHub: NodeReader<HubSpec> = (properties, { name }) => {
  const read = reading((reader) => readPortNames(reader, properties));
  if (!read.ok) return read;
  const ports = read.value;
  return { ok: true, spec: { type: "ethernet_hub", name, ports: ports.length }, ports, addresses: [] };
};
