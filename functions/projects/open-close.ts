/** Opening and closing a project. Closed, it takes no changes, and nothing in it runs. */
import type { Operation } from "../api/operation.ts";
import { ALWAYS_STARTED, isRecordType } from "../api/schemas/node.ts";
import { captureHeader } from "../engine/capture-header.ts";
import { switchPower } from "../engine/simulation/actions.ts";
import { type RunPlan, runLab } from "../lab/run-lab.ts";
import { stopAndStore } from "../store/capture-file.ts";
import type { LinkItem } from "../store/link.ts";
import { setNodeStatuses } from "../store/node.ts";
import { existingProject, getProject, setProjectStatus, toProject } from "../store/project.ts";
import { readItems, readTopology, type Topology } from "../store/read.ts";
import { STALE, untilFresh } from "../store/transact.ts";
import type { group } from "./routes.ts";

/** Closing comes first and stopping after it: what an interruption leaves running, the next closing or opening stops. */
export const closeProject: Operation<typeof group.routes.closeProject> = async ({
  params: { project_id },
}) => {
  existingProject(await getProject(project_id), project_id);
  await setProjectStatus(project_id, "closed");
  await stopEverything(await readTopology(project_id, "topology"));
  return { status: 204 };
};

export const openProject: Operation<typeof group.routes.openProject> = async ({
  params: { project_id },
  remainingTimeMs,
}) => {
  const topology = await readTopology(project_id, "topology");
  const project = existingProject(topology.project, project_id);
  if (project.status === "opened") return { status: 201, body: toProject(project) };
  await stopEverything(topology);
  await setProjectStatus(project_id, "opened");
  if (project.settings.auto_start) await startEverything(project_id, remainingTimeMs);
  return { status: 201, body: toProject({ ...project, status: "opened" }) };
};

/** All at the same moment, as one run: start-up scripts run, and what they send is carried. */
async function startEverything(projectId: string, remainingTimeMs: () => number): Promise<void> {
  const plan: RunPlan = {
    read: "everything",
    schedule(simulation, { nodes }) {
      const stopped = [...nodes.values()].filter((node) => node.status === "stopped");
      const ids = stopped
        .filter((node) => !isRecordType(node.document.node_type))
        .map((node) => node.node_id);
      if (ids.length > 0) simulation.schedule(0, switchPower(ids, "start"));
    },
  };
  await runLab(projectId, plan, remainingTimeMs);
}

async function stopEverything({ nodes, links }: Topology): Promise<void> {
  const running = nodes.filter(
    (node) => node.status !== "stopped" && !ALWAYS_STARTED.has(node.document.node_type),
  );
  await setNodeStatuses(running, "stopped");
  for (const link of links) {
    if (link.capture) await stopCaptureOf(link);
  }
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
