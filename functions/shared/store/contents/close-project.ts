/** Closes a project, and stops its nodes and captures with it. */
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add } from "dynamodb-toolbox/entity/actions/update";
import { holdsAll, MAX_TRANSACTION_ITEMS, type Transaction } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { type CaptureItem, stopping } from "../lab/capture.ts";
import type { LinkItem } from "../lab/link.ts";
import { type NodeItem, stopNode } from "../lab/node.ts";
import { counting, less } from "../limits/quota.ts";
import { ProjectEntity, type ProjectItem } from "../project/project.ts";

/** Fails if a run has changed the run count, or a request the number of captures, since the project was read. */
const close = ({ project_id, run, capture_count }: ProjectItem, stored_bytes: number): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id, status: "closed", run: $add(1), ...counting(less({ stored_bytes })) })
    .options(
      when(
        ProjectEntity,
        { run, capture_count, deleting: undefined, pending: undefined },
        { attr: "status", exists: true },
      ),
    );

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
  const guestBytes = nodes.reduce((sum, { guest_bytes = 0 }) => sum + guest_bytes, 0);
  const steps = [close(project, guestBytes), ...nodes.map(stopNode), ...ends.flatMap((end) => end.steps)];
  return (await holdsAll(steps)) ? ends.map(({ stopped }) => stopped) : undefined;
}
