/** Closes a project, and stops its nodes and captures with it. */
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add } from "dynamodb-toolbox/entity/actions/update";
import { holdsAll, MAX_TRANSACTION_ITEMS, type Transaction } from "../base/transact.ts";
import { type CaptureItem, stopping } from "../lab/capture.ts";
import type { LinkItem } from "../lab/link.ts";
import { NodeEntity, type NodeItem } from "../lab/node.ts";
import { ProjectEntity, type ProjectItem } from "./project.ts";

/** Condition: since the project was read, no run changed the run count, and no request changed the number of captures. */
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

/** A capture has its own item and a part in its link's item. */
const ITEMS_PER_CAPTURE = 2;

/** Returns whether one transaction can hold all changes. */
export const closesAtOnce = (nodes: readonly NodeItem[], links: readonly LinkItem[]): boolean =>
  1 + nodes.length + links.length * ITEMS_PER_CAPTURE <= MAX_TRANSACTION_ITEMS;

/**
 * @param nodes the nodes to stop.
 * @param links the links with running captures.
 * @returns the stopped captures, or undefined when the project changed since it was read.
 */
export async function closeAtOnce(
  project: ProjectItem,
  nodes: readonly NodeItem[],
  links: readonly LinkItem[],
): Promise<CaptureItem[] | undefined> {
  const ends = links.map(stopping);
  const steps = [close(project), ...nodes.map(stop), ...ends.flatMap((end) => end.steps)];
  return (await holdsAll(steps)) ? ends.map(({ stopped }) => stopped) : undefined;
}
