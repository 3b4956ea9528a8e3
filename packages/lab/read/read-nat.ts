/** Reads a NAT node: a gateway to a simulated internet. */
import { NAT_PORT_NAME, parseNatProperties } from "@wirelab/engine/devices/nat/index";
import { natKind } from "@wirelab/engine/devices/nat/kind";
import { macOf } from "@wirelab/engine/devices/node-kind";
import { checkShape } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import { nodeSchemas } from "../file/schema.ts";
import type { NodeModel } from "../model/lab-model.ts";

export function makeNat(
  name: string,
  value: object,
  index: number,
  path: Path,
  problems: Problems,
): Omit<NodeModel, "name" | "place"> | undefined {
  const given = checkShape(nodeSchemas.nat, value, path, problems);
  if (given === undefined) return undefined;
  const { type: _type, started: isStarted = true, ...properties } = given;
  const parsed = parseNatProperties(properties);
  if (!parsed.ok) {
    for (const { path: at, message } of parsed.problems) problems.add([...path, ...at], `${message}.`);
    return undefined;
  }
  return {
    spec: { type: "nat", name, mac: macOf(natKind.macs, index), ...parsed.config },
    ports: [NAT_PORT_NAME],
    isStarted,
    addresses: parsed.config.internet.map(({ address }) => address),
  };
}
