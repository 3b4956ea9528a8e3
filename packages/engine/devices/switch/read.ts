/** Reads the properties of a switch. */

import { parseSwitch } from "../../net/bridge/settings/parse.ts";
import { type NodeReader, reading } from "../node-reader.ts";
import { readSwitchPorts } from "../ports-mapping.ts";
import type { SwitchSpec } from "./index.ts";

export const readSwitch: NodeReader<SwitchSpec> = (properties, { name, isWired }) => {
  const mapped = reading((reader) => readSwitchPorts(reader, properties, isWired));
  if (!mapped.ok) return mapped;
  const { ports, names: portNames } = mapped.value;
  const parsed = parseSwitch(properties, { name, ports, portNames });
  if (!parsed.ok) return parsed;
  return {
    ok: true,
    spec: { type: "ethernet_switch", name, ports, ...parsed.settings },
    ports: portNames,
    addresses: [],
  };
};
