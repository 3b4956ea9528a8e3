/** Opens and closes projects. A closed project accepts no changes, and nothing runs in it. */

import { headerOf } from "@wirelab/engine/link/capture-header";
import { leaveComputes } from "../shared/compute/projects.ts";
import { stopAllThere } from "../shared/compute-capture/stop-all.ts";
import type { Access } from "../shared/edge/access.ts";
import { failure } from "../shared/edge/errors.ts";
import { logger } from "../shared/edge/log.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { STARTED_WHEN_CREATED } from "../shared/schemas/node.ts";
import { discardObjects } from "../shared/store/base/objects.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { closeAtOnce, closesAtOnce } from "../shared/store/contents/close-project.ts";
import { readItems, readTopology, readWholeProject, type Topology } from "../shared/store/contents/read.ts";
import type { CaptureItem } from "../shared/store/lab/capture.ts";
import { stopAndStore, storeCapture } from "../shared/store/lab/capture-file.ts";
import { guestKeysOf } from "../shared/store/lab/guest-state.ts";
import type { LinkItem } from "../shared/store/lab/link.ts";
import { isOnCompute, type NodeItem, setNodeStatuses, stopGuest } from "../shared/store/lab/node.ts";
import { existingProject, setProjectStatus } from "../shared/store/project/project.ts";
import { existingWhole, toProject } from "../shared/store/project/whole-project.ts";
import type { group } from "./routes.ts";

/**
 * Closes in one transaction if it can hold all changes. Otherwise closes first and stops nodes and captures after that; the next closing
 * or opening stops what an interruption leaves running.
 */
export const closeProject: Operation<typeof group.routes.closeProject> = async ({
  access,
  params: { project_id },
}) => {
  let read: Topology | undefined = await readTopology(access, project_id, "topology");
  const recorded = read.links.filter(({ capture }) => capture?.at !== undefined);
  if (recorded.length > 0 && read.project?.status === "opened") {
    await stopAllThere(access, recorded);
    read = undefined;
  }
  const stopped = await untilFresh(async () => {
    const topology = read ?? (await readTopology(access, project_id, "topology"));
    read = undefined;
    const project = existingProject(topology.project, project_id);
    if (topology.nodes.some(isOnCompute)) await leaveComputes(project_id, topology.nodes, "close");
    const { nodes, links } = runningIn(topology);
    if (closesAtOnce(nodes, links)) {
      const captures = await closeAtOnce(project, nodes, links);
      if (captures === undefined) return STALE;
      await discardGuests(nodes);
      return captures;
    }
    await setStatus(project_id, "closed");
    await stopEverything(access, await readTopology(access, project_id, "topology"));
    return [];
  });
  for (const capture of stopped) await storeStopped(capture);
  return { status: 204 };
};

/** The capture has stopped and is complete, on its compute or in segments; if it cannot be stored now, its first download stores it. */
async function storeStopped(capture: CaptureItem): Promise<void> {
  const { project_id, capture_id, at } = capture;
  if (at !== undefined) return;
  await storeCapture(capture, headerOf(capture)).catch((error: unknown) => {
    logger.warn("A stopped capture is left in segments", { project_id, capture_id, error: error as Error });
  });
}

export const openProject: Operation<typeof group.routes.openProject> = async ({
  access,
  params: { project_id },
  remainingTimeMs,
}) => {
  const [topology, whole] = await Promise.all([
    readTopology(access, project_id, "topology"),
    readWholeProject(access, project_id),
  ]);
  const { project, settings } = existingWhole(whole, project_id);
  if (project.status === "opened") return { status: 201, body: toProject({ project, settings }) };
  await stopEverything(access, topology);
  const body = toProject({ project: { ...project, status: "opened" }, settings });
  if (settings.auto_start) {
    // Most projects do not start their nodes, which takes the engine.
    const { startEverything } = await import("../shared/run/start-everything.ts");
    return { status: 201, body, headers: await startEverything(access, project_id, remainingTimeMs) };
  }
  await setStatus(project_id, "opened");
  return { status: 201, body };
};

async function setStatus(projectId: string, status: "opened" | "closed"): Promise<void> {
  if (!(await setProjectStatus(projectId, status)))
    throw failure("project.not-found", { project_id: projectId });
}

/** Returns the nodes to stop, and the links with running captures. */
const runningIn = ({ nodes, links }: Topology) => ({
  nodes: nodes.filter(
    (node) => node.status !== "stopped" && !STARTED_WHEN_CREATED.has(node.document.node_type),
  ),
  links: links.filter((link) => link.capture !== undefined),
});

async function stopEverything(access: Access, topology: Topology): Promise<void> {
  const { nodes, links } = runningIn(topology);
  await setNodeStatuses(
    nodes.filter((node) => !node.guest_bytes),
    "stopped",
  );
  const guests = nodes.filter((node) => node.guest_bytes);
  for (const node of guests) await stopGuestOf(access, node);
  await discardGuests(nodes);
  for (const link of links) await stopCaptureOf(access, link);
}

/** Reads the node again when another request changes it at the same time. */
async function stopGuestOf(access: Access, node: NodeItem): Promise<void> {
  const { project_id, node_id } = node;
  let current: NodeItem | undefined = node;
  await untilFresh(async () => {
    if (current === undefined || current.status === "stopped" || (await stopGuest(current))) return true;
    current = (await readItems(access, project_id, { nodes: [node_id] })).nodes.get(node_id);
    return STALE;
  });
}

/** A node that is off begins with its image, so the state of its guest is not needed. */
async function discardGuests(nodes: readonly NodeItem[]): Promise<void> {
  const keys = guestKeysOf(nodes);
  if (keys.length > 0) await discardObjects(keys);
}

/** Retries when a concurrent replay adds to the capture, after reading the link again. */
async function stopCaptureOf(access: Access, link: LinkItem): Promise<void> {
  const { project_id, link_id } = link;
  let current: LinkItem | undefined = link;
  await untilFresh(async () => {
    if (current?.capture === undefined) return true;
    if (await stopAndStore(current, headerOf(current.capture))) return true;
    current = (await readItems(access, project_id, { links: [link_id] })).links.get(link_id);
    return STALE;
  });
}
