/** Reads the properties of a NAT node. */
import { macOf } from "../node-kind.ts";
import type { NodeReader } from "../node-reader.ts";
import { NAT_PORT_NAME, type NatSpec } from "./config.ts";
import { natKind } from "./kind.ts";
import { parseNatProperties } from "./properties.ts";

export const readNat: NodeReader<NatSpec> = ({ internet }, { name, index }) => {
  const parsed = parseNatProperties(internet === undefined ? {} : { internet });
  if (!parsed.ok) return parsed;
  return {
    ok: true,
    spec: { type: "nat", name, mac: macOf(natKind.macs, index), ...parsed.config },
    ports: [NAT_PORT_NAME],
    addresses: parsed.config.internet.map(({ address }) => address),
  };
};
