/** Reads a cloud: the network behind its port while the lab runs live. */
import { checkShape } from "../file/check-shape.ts";
import { nodeSchemas } from "../file/schema.ts";
import type { Outside } from "../model/outside.ts";
import type { ReadForm } from "./node-form.ts";
import { readOutside } from "./read-outside.ts";

export const readCloud: ReadForm = (value, _context, path, problems) => {
  const given = checkShape(nodeSchemas.cloud, value, path, problems);
  if (given === undefined) return undefined;
  try {
    const outside = readOutside(given);
    return {
      properties: { ports_mapping: [{ name: "Ethernet0", port_number: 0, ...targetOf(outside) }] },
      isStarted: true,
      model: { outside, ...(given.vxlan && { beyond: ["vxlan"] }) },
    };
  } catch (error) {
    problems.add(path, `${(error as Error).message}.`);
    return undefined;
  }
};

/** The interface's form, which clients show. */
function targetOf(outside: Outside | undefined): object {
  if (outside?.kind === "udp")
    return { type: "udp", lport: outside.listen.port, rhost: outside.to.host, rport: outside.to.port };
  if (outside?.kind === "tap") return { type: "tap", interface: outside.name };
  return { type: "ethernet", interface: outside?.kind === "interface" ? outside.name : "eth0" };
}
