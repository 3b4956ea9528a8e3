/** Reads switches and hubs: `ports` and `vlans` are short forms of `ports_mapping`. */
import { MOST_MAPPED_PORTS } from "@wirelab/engine/devices/node-kind";
import { switchPropertiesOf } from "@wirelab/engine/net/bridge/settings/parse";
import { checkShape } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import { nodeSchemas } from "../file/schema.ts";
import type { NodeContext, ReadForm } from "./node-form.ts";

export const DEFAULT_PORTS = 8;

/** Whether a switch or hub may have as many ports as its links need, or as it lists. */
function mayHave(
  ports: number,
  what: "switch" | "hub",
  { expansion }: NodeContext,
  path: Path,
  problems: Problems,
): boolean {
  if (ports > MOST_MAPPED_PORTS)
    problems.add(path, `needs ${ports} ports; a ${what} has at most ${MOST_MAPPED_PORTS}.`);
  return ports <= MOST_MAPPED_PORTS && expansion.take("ports", ports, path);
}

const portNumbered = (port_number: number) => ({ name: `Ethernet${port_number}`, port_number });

export const readHub: ReadForm = (value, context, path, problems) => {
  const given = checkShape(nodeSchemas.hub, value, path, problems);
  if (given === undefined) return undefined;
  const { ports = Math.max(DEFAULT_PORTS, context.portsUsed), started: isStarted = true } = given;
  if (!mayHave(ports, "hub", context, path, problems)) return undefined;
  const ports_mapping = Array.from({ length: ports }, (_, port) => portNumbered(port));
  return { properties: { ports_mapping }, isStarted };
};

export const readSwitch: ReadForm = (value, context, path, problems) => {
  const given = checkShape(nodeSchemas.switch, value, path, problems);
  if (given === undefined) return undefined;
  const vlans = Object.entries(given.vlans ?? {});
  const listed = Array.isArray(given.ports) ? given.ports : undefined;
  const highest = vlans.reduce(
    (most, [port]) => Math.max(most, Number.isInteger(Number(port)) ? Number(port) : -1),
    -1,
  );
  const count =
    listed?.length ??
    (given.ports as number | undefined) ??
    Math.max(DEFAULT_PORTS, context.portsUsed, Math.min(MOST_MAPPED_PORTS, highest + 1));
  if (!mayHave(count, "switch", context, path, problems)) return undefined;
  const ports: object[] = Array.from({ length: count }, (_, port) => ({
    ...portNumbered(port),
    type: "access",
    vlan: 1,
    ...listed?.[port],
  }));
  for (const [port, vlan] of vlans) {
    const number = Number(port);
    const where = [...path, "vlans", port];
    if (!Number.isInteger(number) || number < 0 || number >= Math.min(count, MOST_MAPPED_PORTS)) {
      problems.add(where, `is not a port of the switch, which has ports 0 to ${count - 1}.`);
    } else if (vlan !== "trunk" && (vlan < 1 || vlan > 4094))
      problems.add(where, `must be a VLAN from 1 to 4094, or trunk, got ${vlan}.`);
    else ports[number] = { ...portNumbered(number), ...nameIn(listed?.[number]), ...cable(vlan) };
  }
  return {
    properties: { ports_mapping: ports, ...switchPropertiesOf(given) },
    isStarted: given.started ?? true,
    placeOf: ([first, ...rest]) => [first === "ports_mapping" ? "ports" : first!, ...rest],
  };
};

const nameIn = (port: { readonly name?: string | undefined } | undefined): object =>
  port?.name === undefined ? {} : { name: port.name };

const cable = (vlan: number | "trunk"): object =>
  vlan === "trunk" ? { type: "dot1q", vlan: 1 } : { type: "access", vlan };
