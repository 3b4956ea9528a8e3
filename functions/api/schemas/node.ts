/** The node resource (reference: nodes). */
import * as z from "zod";
import { dataLinkType, freeFormObject, label, linkType, name } from "./common.ts";
import { computeId, uuid } from "./ids.ts";

/** Every type of the interface; which of them run here is the nodes group's rule. */
export const nodeType = z.enum([
  "cloud",
  "nat",
  "ethernet_hub",
  "ethernet_switch",
  "frame_relay_switch",
  "atm_switch",
  "docker",
  "dynamips",
  "vpcs",
  "traceng",
  "virtualbox",
  "vmware",
  "iou",
  "qemu",
  "router",
]);
export type NodeType = z.output<typeof nodeType>;

export const nodeStatus = z.enum(["stopped", "started", "suspended"]);
export type NodeStatus = z.output<typeof nodeStatus>;

export const port = z
  .object({
    adapter_number: z.int(),
    data_link_types: z.record(z.string(), dataLinkType),
    link_type: linkType,
    name: z.string(),
    port_number: z.int(),
    short_name: z.string(),
  })
  .meta({ id: "Port" });
export type Port = z.output<typeof port>;

const consoleType = z.enum(["telnet", "vnc", "http", "https", "spice", "spice+agent", "none"]);
const customAdapter = z.strictObject({
  adapter_number: z.int().min(0),
  port_name: z.string().max(255).optional(),
  adapter_type: z.string().max(255).optional(),
  mac_address: z.string().max(17).optional(),
});

/** Properties hold a start-up script or a ports mapping; both fit many times. */
const PROPERTIES_MAX_BYTES = 65_536;

const settings = {
  console: z.int().min(1).max(65_535).nullable(),
  console_auto_start: z.boolean(),
  console_type: consoleType.nullable(),
  custom_adapters: z.array(customAdapter).max(256),
  first_port_name: z.string().max(255).nullable(),
  label,
  locked: z.boolean(),
  name,
  port_name_format: z.string().max(255),
  port_segment_size: z.int().min(0),
  properties: freeFormObject(PROPERTIES_MAX_BYTES),
  symbol: z.string().min(1).max(255).nullable(),
  x: z.int(),
  y: z.int(),
  z: z.int(),
};

/** Read only; a client that puts back a whole object sends these with the values it got. */
const readOnly = {
  command_line: z.string().nullable(),
  console_host: z.string().nullable(),
  height: z.int(),
  node_directory: z.string().nullable(),
  ports: z.array(port),
  project_id: uuid,
  status: nodeStatus,
  template_id: uuid.nullable(),
  width: z.int(),
};

export const READ_ONLY_NODE_FIELDS = Object.keys(readOnly) as (keyof typeof readOnly)[];

export const node = z
  .object({
    ...settings,
    ...readOnly,
    symbol: z.string(),
    compute_id: computeId,
    node_id: uuid,
    node_type: nodeType,
  })
  .meta({ id: "Node" });
export type Node = z.output<typeof node>;

export const macTableEntry = z
  .object({
    vlan: z.int(),
    mac: z.string().describe("In hexadecimal, joined by colons"),
    port_number: z.int(),
    port_name: z.string(),
    age: z.number().describe("Lab seconds since it was last heard from; it is forgotten at 300"),
  })
  .meta({ id: "MacTableEntry" });

const optionalSettings = z.strictObject(settings).partial().shape;

export const nodeCreate = z
  .strictObject({
    ...optionalSettings,
    name,
    compute_id: computeId,
    node_type: nodeType,
    node_id: uuid.optional(),
    template_id: uuid.nullable().optional(),
    console_host: z.unknown().optional(),
    height: z.unknown().optional(),
    width: z.unknown().optional(),
  })
  .meta({ id: "NodeCreate" });
export type NodeCreate = z.output<typeof nodeCreate>;

export const nodeUpdate = z
  .strictObject({
    ...optionalSettings,
    ...z.strictObject(readOnly).partial().shape,
    compute_id: computeId.optional(),
    node_id: uuid.optional(),
    node_type: nodeType.optional(),
  })
  .meta({ id: "NodeUpdate" });
export type NodeUpdate = z.output<typeof nodeUpdate>;

/** The types that run here. */
export const RUNNABLE_TYPES = [
  "vpcs",
  "ethernet_switch",
  "ethernet_hub",
  "router",
] as const satisfies NodeType[];
export type RunnableType = (typeof RUNNABLE_TYPES)[number];

/** Types that are kept as records with ports; running them takes a compute of their own. */
export const RECORD_TYPES = ["nat", "cloud"] as const satisfies NodeType[];
export type RecordType = (typeof RECORD_TYPES)[number];

export type KnownType = RunnableType | RecordType;

/** Types that have no power switch: started from their creation on, whatever is asked. */
export const ALWAYS_STARTED: ReadonlySet<NodeType> = new Set<NodeType>(["ethernet_switch", "ethernet_hub"]);

export const isRecordType = (type: NodeType): type is RecordType =>
  (RECORD_TYPES as readonly NodeType[]).includes(type);
