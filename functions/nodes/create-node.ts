import { failure } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import {
  type KnownType,
  type NodeCreate,
  RECORD_TYPES,
  RUNNABLE_TYPES,
  STARTED_WHEN_CREATED,
} from "../shared/schemas/node.ts";
import { INDEXES } from "../shared/store/base/number-series.ts";
import { readService } from "../shared/store/base/service.ts";
import { nowUs } from "../shared/store/base/table.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { type NodeItem, createNode as storeNode, toNode } from "../shared/store/lab/node.ts";
import { refuseOverQuota } from "../shared/store/limits/quota.ts";
import { openedProject } from "../shared/store/project/project.ts";
import { readItems } from "../shared/store/project/read.ts";
import { DEFAULT_SYMBOL, defaultLabel, symbolSize } from "./appearance.ts";
import type { Hardware } from "./hardware.ts";
import { readWish, wantedFor } from "./name.ts";
import { Offers } from "./offers.ts";
import { makeHardware } from "./ports.ts";
import type { group } from "./routes.ts";

/** Console types that clients expect for each node type. */
const CONSOLE_TYPES = {
  vpcs: "telnet",
  router: "telnet",
  ethernet_switch: "none",
  ethernet_hub: null,
  nat: null,
  cloud: null,
} as const;

/** Types whose MAC addresses derive from a number that is unique in the lab. */
const NUMBERED: ReadonlySet<KnownType> = new Set<KnownType>(["vpcs", "router"]);

const KNOWN_TYPES: readonly string[] = [...RUNNABLE_TYPES, ...RECORD_TYPES];

export const createNode: Operation<typeof group.routes.createNode> = async ({ params, body, receipt }) => {
  const { project_id } = params;
  const type = body.node_type;
  const hardware = isKnown(type) ? await makeHardware(type, body.properties) : undefined;
  const node_id = body.node_id ?? newId({ receipt }, "node");
  const wish = readWish(body.name);
  const wanted = wantedFor(wish);
  const offers = new Offers(project_id);
  const node = await untilFresh(async () => {
    const found = await readItems(project_id, {
      nodes: [node_id],
      names: wanted.names,
      series: [...wanted.series, INDEXES],
    });
    const project = openedProject(found.project, project_id);
    const existing = found.nodes.get(node_id);
    if (existing) return existing;
    await refuseOtherComputes(body.compute_id);
    if (!isKnown(type) || hardware === undefined) {
      throw failure("node.type-not-runnable", { node_type: type, supported: KNOWN_TYPES.join(", ") });
    }
    refuseOverQuota(project, { node_count: 1 });
    const name = await offers.name(wish, found);
    const index = NUMBERED.has(type) ? await offers.index(found) : undefined;
    const own = { project_id, node_id, name: name.value, index: index?.value };
    const fresh = await makeNode(own, body, type, hardware);
    const outcome = await storeNode(fresh, [...name.takes, ...(index?.takes ?? [])]);
    if (outcome === "created") return fresh;
    offers.refuse(outcome === "name" ? name.value : outcome === "index" ? index?.value : undefined);
    return STALE;
  });
  return { status: 201, body: toNode(node) };
};

const isKnown = (type: string): type is KnownType => KNOWN_TYPES.includes(type);

/** Rejects registered computes: the service knows their address only and sends them nothing. */
async function refuseOtherComputes(computeId: string): Promise<void> {
  if (computeId === "local") return;
  const { computes } = await readService();
  const known = computes.some((compute) => compute.compute_id === computeId);
  throw failure(known ? "compute.not-connected" : "compute.not-found", { compute_id: computeId });
}

async function makeNode(
  own: Pick<NodeItem, "project_id" | "node_id" | "name" | "index">,
  body: NodeCreate,
  type: KnownType,
  { properties, ports }: Hardware,
): Promise<NodeItem> {
  const { name } = own;
  const symbol = body.symbol ?? DEFAULT_SYMBOL;
  const { width, height } = await symbolSize(symbol);
  return {
    ...own,
    status: STARTED_WHEN_CREATED.has(type) ? "started" : "stopped",
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
