/** The closing of a project: with it, what runs there stops. */
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add } from "dynamodb-toolbox/entity/actions/update";
import { type CaptureItem, stopping } from "./capture.ts";
import type { LinkItem } from "./link.ts";
import { NodeEntity, type NodeItem } from "./node.ts";
import { ProjectEntity, type ProjectItem } from "./project.ts";
import { MAX_TRANSACTION_ITEMS, type Transaction, transact } from "./transact.ts";

/** As it was read: with another run count something has run meanwhile, with another count of captures one was started. */
const asRead = (project: ProjectItem) =>
  (["run", "capture_count"] as const).map((attr) => {
    const value = project[attr];
    return value === undefined ? { attr, exists: false as const } : { attr, eq: value };
  });

const close = (project: ProjectItem): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: project.project_id, status: "closed", run: $add(1) })
    .options({
      condition: {
        and: [
          { attr: "status", exists: true },
          { attr: "deleting", exists: false },
          { attr: "pending", exists: false },
          ...asRead(project),
        ],
      } as never,
    });

const stop = ({ project_id, node_id }: NodeItem): Transaction =>
  NodeEntity.build(UpdateTransaction)
    .item({ project_id, node_id, status: "stopped" })
    .options({ condition: { attr: "node_id", exists: true } });

/** A capture is written in its link and by itself. */
const ITEMS_PER_CAPTURE = 2;

/** Whether all of it fits into one transaction. */
export const closesAtOnce = (nodes: readonly NodeItem[], links: readonly LinkItem[]): boolean =>
  1 + nodes.length + links.length * ITEMS_PER_CAPTURE <= MAX_TRANSACTION_ITEMS;

/**
 * @param nodes those to be stopped.
 * @param links those that capture.
 * @returns the captures that were stopped, or undefined when something has happened in the project since it was read.
 */
export async function closeAtOnce(
  project: ProjectItem,
  nodes: readonly NodeItem[],
  links: readonly LinkItem[],
): Promise<CaptureItem[] | undefined> {
  const ends = links.map(stopping);
  const steps = [close(project), ...nodes.map(stop), ...ends.flatMap((end) => end.steps)];
  const refused = await transact(steps);
  return refused.length > 0 ? undefined : ends.map(({ stopped }) => stopped);
}
