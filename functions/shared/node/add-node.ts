/** Makes a node from a request and stores it. */
import { failure } from "../edge/errors.ts";
import type { NodeCreate } from "../schemas/node.ts";
import { INDEXES } from "../store/base/number-series.ts";
import { readService } from "../store/base/service.ts";
import { STALE, untilFresh } from "../store/base/transact.ts";
import { createNode, type NodeItem } from "../store/lab/node.ts";
import { refuseOverQuota } from "../store/limits/quota.ts";
import { openedProject } from "../store/project/project.ts";
import { readItems } from "../store/project/read.ts";
import { readWish, wantedFor } from "./name.ts";
import {
  consoleTypeOf,
  emulatedType,
  hasConsole,
  isKnown,
  KNOWN_TYPES,
  makeNodeItem,
  NUMBERED,
} from "./node-item.ts";
import { Offers } from "./offers.ts";
import { makeHardware } from "./ports.ts";

/**
 * Stores a new node with a free name and a free number; returns the existing node if the project has one with this id.
 * @throws ApiError 400 for a name or properties that are invalid; `project.not-found`, `project.not-opened`, `compute.not-found`,
 *   `compute.not-connected`, `node.type-not-runnable`, `quota.nodes`.
 */
export async function addNode(project_id: string, node_id: string, request: NodeCreate): Promise<NodeItem> {
  const type = emulatedType(request);
  const hardware = isKnown(type) ? await makeHardware(type, request.properties) : undefined;
  const wish = readWish(request.name);
  const wanted = wantedFor(wish);
  const offers = new Offers(project_id);
  return untilFresh(async () => {
    const found = await readItems(project_id, {
      nodes: [node_id],
      names: wanted.names,
      series: [...wanted.series, INDEXES],
    });
    const project = openedProject(found.project, project_id);
    const existing = found.nodes.get(node_id);
    if (existing) return existing;
    await refuseOtherComputes(request.compute_id);
    if (!isKnown(type) || hardware === undefined) {
      throw failure("node.type-not-runnable", { node_type: type, supported: KNOWN_TYPES.join(", ") });
    }
    refuseOverQuota(project, { node_count: 1 });
    const name = await offers.name(wish, found);
    const index = NUMBERED.has(type) ? await offers.index(found) : undefined;
    const own = { project_id, node_id, name: name.value, index: index?.value };
    const console = hasConsole(consoleTypeOf(request, type))
      ? await offers.console(request.console, index?.value)
      : null;
    const fresh = await makeNodeItem(own, request, type, hardware, console);
    const outcome = await createNode(fresh, [...name.takes, ...(index?.takes ?? [])]);
    if (outcome === "created") return fresh;
    if (outcome === "console") offers.refuseConsole(console);
    else offers.refuse(outcome === "name" ? name.value : outcome === "index" ? index?.value : undefined);
    return STALE;
  });
}

/** Rejects registered computes: the service knows their address only and sends them nothing. */
async function refuseOtherComputes(computeId: string): Promise<void> {
  if (computeId === "local") return;
  const { computes } = await readService();
  const known = computes.some((compute) => compute.compute_id === computeId);
  throw failure(known ? "compute.not-connected" : "compute.not-found", { compute_id: computeId });
}
