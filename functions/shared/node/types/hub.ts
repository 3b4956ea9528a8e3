/** The properties of hubs. */
import * as z from "zod/mini";
import type { ServiceType } from "../service-type.ts";
import { defaultPorts, importedPorts, mappingOf, portName, portNumber, usage } from "./mapping.ts";

const port = z.strictObject({ name: portName, port_number: portNumber });

export const hubType: ServiceType = {
  client: z.strictObject({ usage, ports_mapping: mappingOf(port, defaultPorts) }),
  imported: importedPorts(({ name, port_number }) => ({ name, port_number })),
  template: { ports_mapping: defaultPorts },
};
