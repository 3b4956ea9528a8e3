/** The ports of each node type that runs here, and the properties that make them (reference: 7.5). */
import * as z from "zod";
import { invalidRequest } from "../api/errors.ts";
import type { Port, RunnableType } from "../api/schemas/node.ts";

/** More than any switch that a lab needs; a ports mapping of this size is a few kilobytes. */
const MAX_PORTS = 256;
const DEFAULT_PORTS = 8;

const portName = z.string().min(1).max(255);
const portNumber = z.int().min(0).max(65_535);
const vlan = z.int().min(1).max(4094);

const vpcsProperties = z.strictObject({
  startup_script: z.string().max(16_384).optional(),
  /** Names a file of the client's server, which is not here: accepted, as a missing file is there. */
  base_script_file: z.string().max(255).optional(),
});

const switchProperties = z.strictObject({
  ports_mapping: z
    .array(
      z.strictObject({
        name: portName,
        port_number: portNumber,
        type: z.enum(["access", "dot1q", "qinq"]),
        vlan,
        ethertype: z.enum(["", "0x8100", "0x88A8", "0x9100", "0x9200"]).optional(),
      }),
    )
    .min(1)
    .max(MAX_PORTS)
    .optional(),
});

const hubProperties = z.strictObject({
  ports_mapping: z
    .array(z.strictObject({ name: portName, port_number: portNumber }))
    .min(1)
    .max(MAX_PORTS)
    .optional(),
});

const defaultNames = Array.from({ length: DEFAULT_PORTS }, (_, index) => ({
  name: `Ethernet${index}`,
  port_number: index,
}));

type Properties = Record<string, unknown>;

/** @throws ApiError 400 naming what is wrong under `body.properties`. */
export function parseProperties(type: RunnableType, given: Properties | undefined): Properties {
  switch (type) {
    case "vpcs": {
      const { base_script_file: _missing, ...kept } = parse(vpcsProperties, given);
      return kept;
    }
    case "ethernet_switch":
      return {
        ports_mapping: defaultNames.map((port) => ({ ...port, type: "access", vlan: 1 })),
        ...parse(switchProperties, given),
      };
    case "ethernet_hub":
      return { ports_mapping: defaultNames, ...parse(hubProperties, given) };
  }
}

function parse<S extends z.ZodType>(schema: S, given: Properties | undefined): z.output<S> {
  const result = schema.safeParse(given ?? {});
  if (result.success) return result.data;
  throw invalidRequest(
    result.error.issues.map((issue) => ({
      path: ["body.properties", ...issue.path.map(String)].join("."),
      message: issue.message,
    })),
  );
}

/** A switch's or hub's ports are numbered by their place in the mapping, whatever numbers its entries have. */
export function makePorts(type: RunnableType, properties: Properties): Port[] {
  if (type === "vpcs") return [ethernetPort("Ethernet0", 0)];
  const mapping = properties.ports_mapping as { name: string }[];
  return mapping.map((entry, index) => ethernetPort(entry.name, index));
}

const ethernetPort = (name: string, index: number): Port => ({
  adapter_number: 0,
  data_link_types: { Ethernet: "DLT_EN10MB" },
  link_type: "ethernet",
  name,
  port_number: index,
  short_name: `e${index}`,
});
