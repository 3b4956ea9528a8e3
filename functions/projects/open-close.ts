/** Opening and closing a project. Closed, it takes no changes, and nothing in it runs. */
import { failure } from "../api/errors.ts";
import { logger } from "../api/log.ts";
import type { Operation } from "../api/operation.ts";
import { ALWAYS_STARTED } from "../api/schemas/node.ts";
import { captureHeader } from "../engine/capture-header.ts";
import type { CaptureItem } from "../store/capture.ts";
import { stopAndStore, storeCapture } from "../store/capture-file.ts";
import { closeAtOnce, closesAtOnce } from "../store/close-project.ts";
import type { LinkItem } from "../store/link.ts";
import { setNodeStatuses } from "../store/node.ts";
import { existingProject, setProjectStatus, toProject } from "../store/project.ts";
import { readItems, readTopology, type Topology } from "../store/read.ts";
import { STALE, untilFresh } from "../store/transact.ts";
import type { group } from "./routes.ts";

/**
 * In one transaction, if it takes all of it. Else closing comes first and stopping after it: what an interruption leaves running, the
 * next closing or opening stops.
 */
export const closeProject: Operation<typeof group.routes.closeProject> = async ({
  params: { project_id },
}) => {
  const stopped = await untilFresh(async () => {
    const topology = await readTopology(project_id, "topology");
    const project = existingProject(topology.project, project_id);
    const { nodes, links } = runningIn(topology);
    if (closesAtOnce(nodes, links)) return (await closeAtOnce(project, nodes, links)) ?? STALE;
    await setStatus(project_id, "closed");
    await stopEverything(await readTopology(project_id, "topology"));
    return [];
  });
  for (const capture of stopped) await storeStopped(capture);
  return { status: 204 };
};

/** The capture has stopped, and is whole as it is: that it becomes one object is made up for when it is not done now. */
async function storeStopped(capture: CaptureItem): Promise<void> {
  const { project_id, capture_id, data_link_type, options } = capture;
  await storeCapture(capture, captureHeader(data_link_type, options?.snaplen)).catch((error: unknown) => {
    logger.warn("A stopped capture is left in segments", { project_id, capture_id, error: error as Error });
  });
}

export const openProject: Operation<typeof group.routes.openProject> = async ({
  params: { project_id },
  remainingTimeMs,
}) => {
  const topology = await readTopology(project_id, "topology");
  const project = existingProject(topology.project, project_id);
  if (project.status === "opened") return { status: 201, body: toProject(project) };
  await stopEverything(topology);
  if (project.settings.auto_start) {
    const { startEverything } = await import("./start-everything.ts");
    await startEverything(project_id, remainingTimeMs);
  } else await setStatus(project_id, "opened");
  return { status: 201, body: toProject({ ...project, status: "opened" }) };
};

async function setStatus(projectId: string, status: "opened" | "closed"): Promise<void> {
  if (!(await setProjectStatus(projectId, status)))
    throw failure("project.not-found", { project_id: projectId });
}

/** Nodes that are to be stopped, and links that capture. */
const runningIn = ({ nodes, links }: Topology) => ({
  nodes: nodes.filter((node) => node.status !== "stopped" && !ALWAYS_STARTED.has(node.document.node_type)),
  links: links.filter((link) => link.capture !== undefined),
});

async function stopEverything(topology: Topology): Promise<void> {
  const { nodes, links } = runningIn(topology);
  await setNodeStatuses(nodes, "stopped");
  for (const link of links) await stopCaptureOf(link);
}

/** A replay that was under way may still add to the capture: then the link is read again. */
async function stopCaptureOf(link: LinkItem): Promise<void> {
  const { project_id, link_id } = link;
  let current: LinkItem | undefined = link;
  await untilFresh(async () => {
    if (current?.capture === undefined) return true;
    const { data_link_type, options } = current.capture;
    if (await stopAndStore(current, captureHeader(data_link_type, options?.snaplen))) return true;
    current = (await readItems(project_id, { links: [link_id] })).links.get(link_id);
    return STALE;
  });
}
