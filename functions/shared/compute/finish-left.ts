/** What the sweeper does on computes. It does not start the helper machine, which is registered while it is ready. */
import { SERVICE } from "../edge/access.ts";
import { VM } from "../machine/config.ts";
import { readService } from "../store/base/service.ts";
import { readItems, readTopology } from "../store/contents/read.ts";
import { isUnderWay } from "../store/lab/doing.ts";
import type { LeftDeed } from "../store/sweep/left-deeds.ts";
import { registeredIn } from "./find.ts";
import { readSettledLink } from "./links.ts";
import { readSettled } from "./nodes.ts";
import { leaveComputes } from "./projects.ts";
import { isCode } from "./there.ts";

/**
 * @returns false when there is nothing to finish: another function is at work, or has finished it, the project is closed, or the helper
 *   machine is off.
 * @throws ApiError of a compute that refuses or is away. A node is then as before its deed; the deed of a link stays.
 */
export async function finishLeft({ projectId, kind, id }: LeftDeed): Promise<boolean> {
  const found = await readItems(SERVICE, projectId, kind === "node" ? { nodes: [id] } : { links: [id] });
  const { doing } = found.nodes.get(id) ?? found.links.get(id) ?? {};
  const isOpen = found.project?.status === "opened" && !found.project.deleting;
  if (doing === undefined || isUnderWay(doing) || !isOpen) return false;
  const ends = found.links.get(id)?.document.nodes.map(({ node_id }) => node_id) ?? [id];
  const { nodes } = await readItems(SERVICE, projectId, { nodes: ends });
  const computes = [...nodes.values()].map(({ document }) => document.compute_id);
  if (computes.includes(VM) && (await isHelperOff())) return false;
  const settled = kind === "node" ? readSettled : readSettledLink;
  await settled(SERVICE, projectId, id).catch((error: unknown) => {
    // A deletion has ended.
    if (!isCode(error, "node.not-found", "link.not-found")) throw error;
  });
  return true;
}

const isHelperOff = async (): Promise<boolean> => registeredIn(await readService(), VM) === undefined;

/**
 * Removes an expired project from its computes. Its files stay on the disk of a helper machine that is off.
 * @throws ApiError of a compute that is away: the next sweep begins again.
 */
export async function leaveExpired(projectId: string): Promise<void> {
  const { nodes } = await readTopology(SERVICE, projectId, "nodes");
  const isOff = await isHelperOff();
  const left = nodes.filter(({ document }) => !(isOff && document.compute_id === VM));
  await leaveComputes(projectId, left, "delete");
}
