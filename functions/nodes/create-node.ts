import { failure } from "../api/errors.ts";
import { newId } from "../api/idempotency.ts";
import type { Operation } from "../api/operation.ts";
import {
  ALWAYS_STARTED,
  type KnownType,
  type NodeCreate,
  RECORD_TYPES,
  RUNNABLE_TYPES,
} from "../api/schemas/node.ts";
import { type NodeItem, createNode as storeNode, toNode } from "../store/node.ts";
import { openedProject } from "../store/project.ts";
import { refuseOverQuota } from "../store/quota.ts";
import { readItems, readTaken, type Taken } from "../store/read.ts";
import { readService } from "../store/service.ts";
import { nowUs } from "../store/table.ts";
import { STALE, untilFresh } from "../store/transact.ts";
import { DEFAULT_SYMBOL, defaultLabel, symbolSize } from "./appearance.ts";
import { allocateName } from "./name.ts";
import { type Hardware, makeHardware } from "./ports.ts";
import type { group } from "./routes.ts";

/** Console types as clients of each node type expect them. */
const CONSOLE_TYPES = {
  vpcs: "telnet",
  router: "telnet",
  ethernet_switch: "none",
  ethernet_hub: null,
  nat: null,
  cloud: null,
} as const;

/** Types whose MAC addresses follow from a number that no other node of the lab has. */
const NUMBERED: ReadonlySet<KnownType> = new Set<KnownType>(["vpcs", "router"]);

const KNOWN_TYPES: readonly string[] = [...RUNNABLE_TYPES, ...RECORD_TYPES];

export const createNode: Operation<typeof group.routes.createNode> = async ({ params, body, receipt }) => {
  const { project_id } = params;
  const type = body.node_type;
  const hardware = isKnown(type) ? await makeHardware(type, body.properties) : undefined;
  const node_id = body.node_id ?? newId({ receipt }, "node");
  let lost = 0;
  const node = await untilFresh(async () => {
    const [found, taken] = await Promise.all([
      readItems(project_id, { nodes: [node_id] }),
      readTaken(project_id),
    ]);
    const project = openedProject(found.project, project_id);
    const existing = found.nodes.get(node_id);
    if (existing) return existing;
    await refuseOtherComputes(body.compute_id);
    if (!isKnown(type) || hardware === undefined) {
      throw failure("node.type-not-runnable", { node_type: type, supported: KNOWN_TYPES.join(", ") });
    }
    refuseOverQuota(project, { node_count: 1 });
    const fresh = await makeNode({ project_id, node_id }, body, type, hardware, taken, lost);
    const outcome = await storeNode(fresh);
    lost += 1;
    return outcome === "created" ? fresh : STALE;
  });
  return { status: 201, body: toNode(node) };
};

const isKnown = (type: string): type is KnownType => KNOWN_TYPES.includes(type);

/** Registered computes are known by their address only: nothing is sent to them. */
async function refuseOtherComputes(computeId: string): Promise<void> {
  if (computeId === "local") return;
  const { computes } = await readService();
  const known = computes.some((compute) => compute.compute_id === computeId);
  throw failure(known ? "compute.not-connected" : "compute.not-found", { compute_id: computeId });
}

async function makeNode(
  ids: Pick<NodeItem, "project_id" | "node_id">,
  body: NodeCreate,
  type: KnownType,
  { properties, ports }: Hardware,
  taken: Taken,
  lost: number,
): Promise<NodeItem> {
  const name = allocateName(body.name, taken.names);
  const symbol = body.symbol ?? DEFAULT_SYMBOL;
  const { width, height } = await symbolSize(symbol);
  return {
    ...ids,
    name,
    status: ALWAYS_STARTED.has(type) ? "started" : "stopped",
    ...(NUMBERED.has(type) ? { index: freeIndex(taken.indexes, lost) } : {}),
    links: {},
    wiring: 0,
    revision: 1,
    created_us: nowUs(),
    document: {
      command_line: null,
      compute_id: body.compute_id,
      console: body.console ?? null,
      console_auto_start: body.console_auto_start ?? false,
      console_host: null,
      console_type: body.console_type === undefined ? CONSOLE_TYPES[type] : body.console_type,
      custom_adapters: body.custom_adapters ?? [],
      first_port_name: body.first_port_name ?? null,
      height,
      label: body.label ? { ...body.label, text: name } : defaultLabel(name, height),
      locked: body.locked ?? false,
      node_directory: null,
      node_type: type,
      port_name_format: body.port_name_format ?? "Ethernet{0}",
      port_segment_size: body.port_segment_size ?? 0,
      ports,
      properties,
      symbol,
      template_id: body.template_id ?? null,
      width,
      x: body.x ?? 0,
      y: body.y ?? 0,
      z: body.z ?? 1,
    },
  };
}

/** The lowest free number; of rivals that met at it, each then takes any of the lowest few, ever more of them. */
function freeIndex(taken: ReadonlySet<number>, lost: number): number {
  let toSkip = Math.floor(Math.random() * Math.min(2 ** lost, RIVALS_AT_MOST));
  let index = 0;
  while (taken.has(index) || toSkip-- > 0) index += 1;
  return index;
}

const RIVALS_AT_MOST = 64;
