/** A run's changes as writes: either steps of the transaction that commits the run, or later writes, each made at most once. */
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { forEachParallel } from "../base/parallel.ts";
import { holds, MAX_TRANSACTION_ITEMS, type Transaction, transact } from "../base/transact.ts";
import { added } from "../lab/capture.ts";
import { LinkEntity } from "../lab/link.ts";
import { NodeEntity } from "../lab/node.ts";
import { writePage } from "../lab/segment.ts";
import {
  itemsOf,
  type LinkChange,
  type NodeChange,
  type RunChange,
  type SegmentChange,
  sizeOf,
} from "./run-changes.ts";

/** A transaction holds 4 MB; this much leaves room for the names around the values. */
const MAX_TRANSACTION_BYTES = 2_500_000;
/** Transactions, and writes of single items, in flight at once. */
const PARALLEL_TRANSACTIONS = 4;
const PARALLEL_WRITES = 16;

const EXISTS = { node: { attr: "node_id", exists: true }, link: { attr: "link_id", exists: true } } as const;

/** Returns whether one transaction can hold the changes. @param itemsBeside other items that it writes. */
export const fitsTransaction = (changes: readonly RunChange[], itemsBeside: number): boolean =>
  changes.reduce((sum, change) => sum + itemsOf(change), itemsBeside) <= MAX_TRANSACTION_ITEMS &&
  sizeOf(changes) <= MAX_TRANSACTION_BYTES;

/** Returns the changes as steps of the transaction that commits the run. */
export const changeNow = (projectId: string, run: number, changes: readonly RunChange[]): Transaction[] =>
  changes.flatMap((change) =>
    change.kind === "node"
      ? [updateNode(projectId, run, change, [EXISTS.node])]
      : updateLink(projectId, run, change, [EXISTS.link]),
  );

/** Makes the changes of a committed run, except those that were made already, or that later runs have overwritten. */
export async function changeLater(
  projectId: string,
  run: number,
  changes: readonly RunChange[],
): Promise<void> {
  await forEachParallel(batches(changes), PARALLEL_TRANSACTIONS, async (batch) => {
    const steps = batch.flatMap((change) =>
      change.kind === "node"
        ? [updateNode(projectId, run, change, notYet("node", run))]
        : updateLink(projectId, run, change, notYet("link", run)),
    );
    if ((await transact(steps)).length === 0) return;
    // Some changes are made already, or their node or link is gone.
    await forEachParallel(batch, PARALLEL_WRITES, (change) => changeOnce(projectId, run, change));
  });
}

function batches(changes: readonly RunChange[]): RunChange[][] {
  const result: RunChange[][] = [];
  let [items, bytes] = [MAX_TRANSACTION_ITEMS, 0];
  for (const change of changes) {
    const [ownItems, ownBytes] = [itemsOf(change), sizeOf(change)];
    if (items + ownItems > MAX_TRANSACTION_ITEMS || bytes + ownBytes > MAX_TRANSACTION_BYTES) {
      result.push([]);
      [items, bytes] = [0, 0];
    }
    result.at(-1)!.push(change);
    items += ownItems;
    bytes += ownBytes;
  }
  return result;
}

/** Makes a single change, unless it or a later one was made already, or its node or link is gone. */
async function changeOnce(projectId: string, run: number, change: RunChange): Promise<void> {
  if (change.kind === "node") {
    const options = { condition: { and: notYet("node", run) } } as never;
    await holds(
      NodeEntity.build(UpdateItemCommand)
        .item(nodeFields(projectId, run, change))
        .options(options),
    );
    return;
  }
  if (await linkOnce(projectId, run, change)) return;
  // Another request's newer settings stay; a capture that is gone needs no more packets.
  const { document: _theirs, ...rest } = change;
  if (await linkOnce(projectId, run, rest)) return;
  const { added: _gone, ...state } = rest;
  await linkOnce(projectId, run, state);
}

/** @returns whether the link, and a page with it, was written. */
async function linkOnce(projectId: string, run: number, change: LinkChange): Promise<boolean> {
  return (await transact(updateLink(projectId, run, change, notYet("link", run)))).length === 0;
}

const notYet = (kind: keyof typeof EXISTS, run: number) => [
  EXISTS[kind],
  {
    or: [
      { attr: "state_run", exists: false },
      { attr: "state_run", lt: run },
    ],
  },
];

const updateNode = (
  projectId: string,
  run: number,
  change: NodeChange,
  and: readonly object[],
): Transaction =>
  NodeEntity.build(UpdateTransaction)
    .item(nodeFields(projectId, run, change))
    .options({ condition: { and } as never });

/**
 * Returns steps that update the link, if what the change touches is as the run has read it, and that write the page, if one is due.
 * An unchanged number of segments in a capture proves that the change was not made yet.
 */
function updateLink(
  projectId: string,
  run: number,
  change: LinkChange,
  conditions: readonly object[],
): Transaction[] {
  const { document, added, revision } = change;
  const and = [
    ...(added ? [] : conditions),
    ...(document ? [{ attr: "revision", eq: revision }] : []),
    ...(added
      ? [
          { attr: "capture.capture_id", eq: added.capture_id },
          { attr: "capture.segments", eq: added.number },
        ]
      : []),
  ];
  const update = LinkEntity.build(UpdateTransaction)
    .item(linkFields(projectId, run, change))
    .options({ condition: { and } as never });
  if (!added?.page) return [update];
  return [update, writePage(projectId, added.capture_id, added.number, added.page)];
}

const nodeFields = (project_id: string, state_run: number, { node_id, status, state }: NodeChange) => ({
  project_id,
  node_id,
  status,
  state,
  state_run,
});

function linkFields(project_id: string, state_run: number, change: LinkChange) {
  const { link_id, state, document, added } = change;
  return {
    project_id,
    link_id,
    state_run,
    ...(state ? { state } : {}),
    ...(document ? { document, revision: $add(1) } : {}),
    ...(added ? { capture: captureFields(added) } : {}),
  };
}

const captureFields = (change: SegmentChange) => ({
  segments: change.number + 1,
  recent: added(change.segment, change.page),
  packets: change.packets,
  bytes: change.bytes,
  end_ns: change.end_ns,
  ...(change.limit_reached ? { limit_reached: true } : {}),
});
