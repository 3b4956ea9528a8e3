/** Reads the properties of a cloud. Where its ports lead has no meaning in virtual time. */
import { type NodeReader, type Properties, reading } from "../node-reader.ts";
import { readPortNames } from "../ports-mapping.ts";
import type { CloudSpec } from "./index.ts";

const namesAlone = ({ ports_mapping = [] }: Properties): Properties => ({
  ports_mapping: Array.isArray(ports_mapping) ? ports_mapping.map(({ name }) => ({ name })) : ports_mapping,
});

export const readCloud: NodeReader<CloudSpec> = (properties, { name }) => {
  const read = reading((reader) => readPortNames(reader, namesAlone(properties)));
  return read.ok ? { ok: true, spec: { type: "cloud", name }, ports: read.value, addresses: [] } : read;
};
