/** The properties of clouds: stored for the client, because the service connects to no outside network. */
import { MOST_MAPPED_PORTS } from "@wirelab/engine/devices/node-kind";
import * as z from "zod/mini";
import type { ServiceType } from "../service-type.ts";
import { pick, portName, portNumber, usage } from "./mapping.ts";

/** The target of a port. */
const port = z.looseObject({
  name: portName,
  port_number: z.optional(portNumber),
  type: z.enum(["ethernet", "tap", "udp"]),
  interface: z.optional(z.string().check(z.maxLength(255))),
});
const OWN = {
  ports_mapping: z._default(z.array(port).check(z.maxLength(MOST_MAPPED_PORTS)), () => []),
  interfaces: z.optional(z.array(z.unknown()).check(z.maxLength(MOST_MAPPED_PORTS))),
  remote_console_host: z.optional(z.string().check(z.maxLength(255))),
  remote_console_port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
  remote_console_type: z.optional(z.string().check(z.maxLength(32))),
  remote_console_http_path: z.optional(z.string().check(z.maxLength(255))),
};

export const cloudType: ServiceType = {
  client: z.strictObject({ usage, ...OWN }),
  imported: (properties) => pick(properties, Object.keys(OWN)),
  template: {
    ports_mapping: [],
    remote_console_host: "127.0.0.1",
    remote_console_http_path: "/",
    remote_console_port: 23,
    remote_console_type: "none",
  },
};
