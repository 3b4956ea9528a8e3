/** The node resource (docs/interface.md, section 4.2). */
import { kindOf, typesThat, typesWithoutImage } from "@wirelab/engine/devices/find-kind";
import type { DeviceType } from "@wirelab/engine/devices/kinds";
import * as z from "zod/mini";
import { dataLinkType, freeFormObject, label, linkType, name, optionalFields } from "./common.ts";
import { computeId, uuid, uuidAsGiven } from "./ids.ts";

/** Node types that only computes run. An import keeps such a node as a placeholder. */
const PLACEHOLDER_TYPES = [
  "frame_relay_switch",
  "atm_switch",
  "docker",
  "dynamips",
  "traceng",
  "virtualbox",
  "vmware",
  "iou",
  "qemu",
] as const;
export type PlaceholderType = (typeof PLACEHOLDER_TYPES)[number];

/** Types with an image are shown as `docker`, because existing clients do not know them: router-image.ts. */
const shownType = z.enum([...typesWithoutImage(), ...PLACEHOLDER_TYPES]);
export const nodeType = z.enum([...shownType.options, ...typesThat(({ image }) => image)]);
export type NodeType = z.output<typeof nodeType>;
export type ShownType = z.output<typeof shownType>;

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
  .check(z.meta({ id: "Port" }));
export type Port = z.output<typeof port>;

const consoleType = z.enum(["telnet", "vnc", "http", "https", "spice", "spice+agent", "none"]);
const customAdapter = z.strictObject({
  adapter_number: z.int().check(z.minimum(0)),
  port_name: z.optional(z.string().check(z.maxLength(255))),
  adapter_type: z.optional(z.string().check(z.maxLength(255))),
  mac_address: z.optional(z.string().check(z.maxLength(17))),
});

/** Bounds properties; a start-up script or a ports mapping is much smaller. */
const PROPERTIES_MAX_BYTES = 65_536;
export const nodeProperties = freeFormObject(PROPERTIES_MAX_BYTES).check(z.meta({ id: "NodeProperties" }));

const settings = {
  console: z.nullable(z.int().check(z.minimum(1), z.maximum(65_535))),
  console_auto_start: z.boolean(),
  console_type: z.nullable(consoleType),
  custom_adapters: z.array(customAdapter).check(z.maxLength(256)),
  first_port_name: z.nullable(z.string().check(z.maxLength(255))),
  label,
  locked: z.boolean(),
  name,
  port_name_format: z.string().check(z.maxLength(255)),
  port_segment_size: z.int().check(z.minimum(0)),
  properties: nodeProperties,
  symbol: z.nullable(z.string().check(z.minLength(1), z.maxLength(255))),
  x: z.int(),
  y: z.int(),
  z: z.int(),
};

/** Read only; accepted because a client may send back the whole object that it received. */
const readOnly = {
  command_line: z.nullable(z.string()),
  console_host: z.nullable(z.string()),
  height: z.int(),
  node_directory: z.nullable(z.string()),
  ports: z.array(port),
  project_id: uuid,
  status: nodeStatus,
  template_id: z.nullable(uuidAsGiven),
  width: z.int(),
};

/** Without the host of the console: it depends on the address that the client used. */
export const READ_ONLY_NODE_FIELDS = (Object.keys(readOnly) as (keyof typeof readOnly)[]).filter(
  (field) => field !== "console_host",
);

export const node = z
  .object({
    ...settings,
    ...readOnly,
    symbol: z.string(),
    compute_id: computeId,
    node_id: uuid,
    node_type: shownType,
  })
  .check(z.meta({ id: "Node" }));
export type Node = z.output<typeof node>;

export const macTableEntry = z
  .object({
    vlan: z.int(),
    mac: z.string().check(z.describe("Hexadecimal, separated by colons")),
    port_number: z.int(),
    port_name: z.string(),
    age: z
      .number()
      .check(
        z.describe("Lab seconds since the last frame from this address; the entry expires at `ageing_time`"),
      ),
  })
  .check(z.meta({ id: "MacTableEntry" }));

const startupFields = {
  status: z
    .enum(["none", "running", "done"])
    .check(z.describe("`none` if the node is off or had no script when it was started")),
  output: z.string().check(z.describe("Output of the script, truncated to the last 4,096 characters")),
  remaining: z.array(z.string()).check(z.describe("Remaining lines, the running one first")),
};

export const startup = z.object(startupFields).check(z.meta({ id: "Startup" }));

/** A node's start-up in a run's report. */
export const nodeStartup = z
  .object({ node_id: uuid, name: z.string(), ...startupFields })
  .check(z.meta({ id: "NodeStartup" }));

const optionalSettings = optionalFields(settings);

export const nodeCreate = z
  .strictObject({
    ...optionalSettings,
    name,
    compute_id: computeId,
    node_type: nodeType,
    node_id: z.optional(uuid),
    template_id: z.optional(z.nullable(uuidAsGiven)),
    console_host: z.optional(z.unknown()),
    height: z.optional(z.unknown()),
    width: z.optional(z.unknown()),
  })
  .check(z.meta({ id: "NodeCreate" }));
export type NodeCreate = z.output<typeof nodeCreate>;

export const nodeUpdate = z
  .strictObject({
    ...optionalSettings,
    ...optionalFields(readOnly),
    compute_id: z.optional(computeId),
    node_id: z.optional(uuid),
    node_type: z.optional(nodeType),
  })
  .check(z.meta({ id: "NodeUpdate" }));
export type NodeUpdate = z.output<typeof nodeUpdate>;

export const nodeDuplicate = z
  .strictObject({ x: z.int(), y: z.int(), z: z.optional(z.int()) })
  .check(z.meta({ id: "NodeDuplicate" }));

/** How a disk of a QEMU machine grows, in megabytes. */
export const diskResize = z.strictObject({
  drive_name: z.enum(["hda", "hdb", "hdc", "hdd"]),
  extend: z.int().check(z.positive()),
});

/** The node types that the service emulates. */
export const RUNNABLE_TYPES: readonly DeviceType[] = typesThat(({ isRecord }) => !isRecord);

/** Node types that the service stores with their ports but does not emulate (`node.needs-compute`). */
export const RECORD_TYPES: readonly DeviceType[] = typesThat(({ isRecord }) => isRecord);

export type KnownType = DeviceType;

export const isPlaceholder = (type: string): type is PlaceholderType =>
  (PLACEHOLDER_TYPES as readonly string[]).includes(type);

/**
 * Node types that are started at creation and that stay on when a request stops or suspends all nodes. GNS3 never stops them; here
 * a request for a single node stops it, so that a lab can simulate a failed switch.
 */
export const STARTED_WHEN_CREATED: ReadonlySet<NodeType> = new Set<NodeType>(
  typesThat(({ startsWhenCreated }) => startsWhenCreated),
);

/** Whether the service stores nodes of the type without running them, when they are on no registered compute. */
export const isRecordType = (type: NodeType): boolean =>
  kindOf(type)?.isRecord === true || isPlaceholder(type);
