/** The ports of each node type that runs here, and the properties that define them (docs/interface.md, section 4.5). */
import { SWITCH_PROPERTIES } from "@wirelab/engine/devices/switch/settings/names";
import * as z from "zod/mini";
import { invalidRequest } from "../edge/errors.ts";
import "../schemas/messages.ts";
import type { KnownType, Port } from "../schemas/node.ts";
import { ethernetPort, type Hardware, type Properties, withoutNulls } from "./hardware.ts";

/** More than the switches of labs need; a ports mapping of this size is a few kilobytes. */
const MAX_PORTS = 256;
const DEFAULT_PORTS = 8;

const portName = z.string().check(z.minLength(1), z.maxLength(255));
const portNumber = z.int().check(z.minimum(0), z.maximum(65_535));
const vlan = z.int().check(z.minimum(1), z.maximum(4094));

/** Instructions that clients show. */
const usage = z.optional(z.string().check(z.maxLength(16_384)));

const vpcsProperties = z.strictObject({
  usage,
  startup_script: z.optional(z.string().check(z.maxLength(16_384))),
  /** Names a file on the client's server. Accepted without effect; that server also ignores a missing file. */
  base_script_file: z.optional(z.string().check(z.maxLength(255))),
  /** Accepts packets with wrong checksums, as VPCS does. */
  ignore_checksums: z.optional(z.boolean()),
});

const switchProperties = z.strictObject({
  usage,
  ports_mapping: z.optional(
    z
      .array(
        z.strictObject({
          name: portName,
          port_number: portNumber,
          type: z.enum(["access", "dot1q", "qinq"]),
          vlan: z._default(vlan, 1),
          ethertype: z.optional(z.enum(["", "0x8100", "0x88A8", "0x9100", "0x9200"])),
        }),
      )
      .check(z.minLength(1), z.maxLength(MAX_PORTS)),
  ),
  /** Checked by switch-settings.ts. */
  ...Object.fromEntries(SWITCH_PROPERTIES.map((name) => [name, z.optional(z.unknown())])),
});

const hubProperties = z.strictObject({
  usage,
  ports_mapping: z.optional(
    z
      .array(z.strictObject({ name: portName, port_number: portNumber }))
      .check(z.minLength(1), z.maxLength(MAX_PORTS)),
  ),
});

/** Target of a cloud's port; stored for the client, because the service connects to no outside network. */
const cloudProperties = z.strictObject({
  usage,
  ports_mapping: z.optional(
    z
      .array(
        z.looseObject({
          name: portName,
          port_number: z.optional(portNumber),
          type: z.enum(["ethernet", "tap", "udp"]),
          interface: z.optional(z.string().check(z.maxLength(255))),
        }),
      )
      .check(z.maxLength(MAX_PORTS)),
  ),
  interfaces: z.optional(z.array(z.unknown()).check(z.maxLength(MAX_PORTS))),
  remote_console_host: z.optional(z.string().check(z.maxLength(255))),
  remote_console_port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
  remote_console_type: z.optional(z.string().check(z.maxLength(32))),
  remote_console_http_path: z.optional(z.string().check(z.maxLength(255))),
});

/** A mapping in the request names the interface of the one port, which other programs use. */
const natProperties = z.strictObject({
  usage,
  ports_mapping: z.optional(z.unknown()),
  internet: z.optional(z.unknown()),
});
const NAT_PORT = { interface: "nat0", name: "nat0", port_number: 0, type: "ethernet" };
const natMapping = z.array(z.object({ interface: z.string().check(z.minLength(1), z.maxLength(255)) }));

function natPorts(mapping: unknown): readonly object[] {
  const given = natMapping.safeParse(mapping);
  return [{ ...NAT_PORT, ...(given.success && given.data[0]) }];
}

const defaultNames = Array.from({ length: DEFAULT_PORTS }, (_, index) => ({
  name: `Ethernet${index}`,
  port_number: index,
}));

/**
 * @param given replaces the named properties of `before`; null removes one.
 * @throws ApiError 400 that names the invalid values under `body.properties`.
 */
export async function makeHardware(
  type: KnownType,
  given: Properties = {},
  before?: Hardware,
): Promise<Hardware> {
  // Loaded on first use: few nodes are routers, and their code is as large as that of all other types.
  if (type === "router") return (await import("./router-hardware.ts")).makeRouterHardware(given, before);
  if (type === "server") return (await import("./server-hardware.ts")).makeServerHardware(given, before);
  if (type === "linux") return (await import("./linux-hardware.ts")).makeLinuxHardware(given, before);
  const properties = parseProperties(type, withoutNulls({ ...before?.properties, ...given }));
  if (type === "ethernet_switch" && SWITCH_PROPERTIES.some((name) => properties[name] !== undefined))
    (await import("./switch-settings.ts")).checkSwitchSettings(properties);
  if (type === "nat" && properties.internet !== undefined)
    properties.internet = (await import("./nat-settings.ts")).readInternet(properties.internet);
  return { properties, ports: makePorts(type, properties) };
}

function parseProperties(
  type: Exclude<KnownType, "router" | "server" | "linux">,
  given: Properties | undefined,
): Properties {
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
    case "cloud":
      return { ports_mapping: [], ...parse(cloudProperties, given) };
    case "nat":
      return { ...parse(natProperties, given), ports_mapping: natPorts(given?.ports_mapping) };
  }
}

function parse<S extends z.ZodMiniType>(schema: S, given: Properties | undefined): z.output<S> {
  const result = schema.safeParse(given ?? {});
  if (result.success) return result.data;
  throw invalidRequest(
    result.error.issues.map((issue) => ({
      path: ["body.properties", ...issue.path.map(String)].join("."),
      message: issue.message,
    })),
  );
}

/** Numbers a switch's or hub's ports by their place in the mapping, and ignores the numbers of its entries. */
function makePorts(type: KnownType, properties: Properties): Port[] {
  if (type === "vpcs") return [ethernetPort("Ethernet0", 0)];
  const mapping = properties.ports_mapping as { name: string }[];
  return mapping.map((entry, index) => ethernetPort(entry.name, index));
}
