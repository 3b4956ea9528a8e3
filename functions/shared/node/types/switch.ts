/** The properties of switches. */
import * as z from "zod/mini";
import type { ServiceType } from "../service-type.ts";
import { defaultPorts, importedPorts, mappingOf, portName, portNumber, usage } from "./mapping.ts";

const vlan = z.int().check(z.minimum(1), z.maximum(4094));
const port = z.strictObject({
  name: portName,
  port_number: portNumber,
  type: z.enum(["access", "dot1q", "qinq"]),
  vlan: z._default(vlan, 1),
  ethertype: z.optional(z.enum(["", "0x8100", "0x88A8", "0x9100", "0x9200"])),
});
const access = defaultPorts.map((each) => ({ ...each, type: "access" as const, vlan: 1 }));

export const switchType: ServiceType = {
  client: z.strictObject({ usage, ports_mapping: mappingOf(port, access) }),
  imported: importedPorts(({ name, port_number, type, vlan, ethertype }) => ({
    name,
    port_number,
    type: type ?? "access",
    vlan: vlan ?? 1,
    ...(ethertype == null ? {} : { ethertype }),
  })),
  template: { ports_mapping: access.map((each) => ({ ethertype: "", ...each })) },
  builtin: { console_type: "none" },
};
