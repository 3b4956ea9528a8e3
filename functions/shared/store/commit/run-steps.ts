/** The changes of a commit as writes: either steps of the transaction that commits, or later writes, each made at most once. */
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, $remove, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { deleteOnce, putOnce } from "../base/any-item.ts";
import { durationMs, WritePace, writeUnits } from "../base/pace.ts";
import { forEachParallel } from "../base/parallel.ts";
import { holds, MAX_TRANSACTION_ITEMS, type Transaction, transact } from "../base/transact.ts";
import { type Test, when } from "../base/when.ts";
import { added } from "../lab/capture.ts";
import { LinkEntity } from "../lab/link.ts";
import { NodeEntity } from "../lab/node.ts";
import { unitsOfPackets, writePackets } from "../lab/packets.ts";
import { writePage } from "../lab/segment.ts";
import { whilePending } from "../project/project.ts";
import type { Commit, CommitPlace } from "./commit-object.ts";
import {
  type Change,
  itemsOf,
  type LinkChange,
  type NodeChange,
  type RunChange,
  type SegmentChange,
  sizeOf,
  weightOf,
} from "./run-changes.ts";

/** A transaction holds 4 MB; this much leaves room for the names around the values. */
const MAX_TRANSACTION_BYTES = 2_500_000;
/** Writes in flight at once. */
const PARALLEL_WRITES = 16;

const NODE_EXISTS = { attr: "node_id", exists: true } as const;
const LINK_EXISTS = { attr: "link_id", exists: true } as const;

/** The write units of a run's transaction: more would leave too few of a partition key's 1,000 a second to other requests. */
const MAX_RUN_UNITS = 100;
/** The write units up to which a run writes states and counters to their items. Beyond, an object costs less, and takes few units. */
export const MAX_STATE_UNITS = 50;
/** A transaction takes twice the units of its writes. */
const UNITS_OF_TRANSACTION = 2;
/** What an item has beside what a run changes, when the change does not say how much that is. */
const REST_BYTES = 600;

/** Returns about how many units the change takes outside of a transaction. */
const unitsOf = (change: Change): number => {
  if (change.kind === "put") return writeUnits(weightOf(change));
  if (change.kind === "delete") return 1;
  if (change.kind === "link" && change.added) return unitsOfLink(change, change.added);
  return writeUnits(sizeOf(change) + restOf(change));
};

const restOf = ({ rest_bytes = REST_BYTES }: RunChange): number => rest_bytes;

/** The item of the link, of the page, and of the packets. */
const unitsOfLink = (change: LinkChange, { page, deflated, ...added }: SegmentChange): number =>
  writeUnits(sizeOf({ ...change, added }) + restOf(change)) +
  (page ? writeUnits(sizeOf(page)) : 0) +
  (deflated ? unitsOfPackets(Buffer.byteLength(deflated, "base64")) : 0);

/**
 * Returns whether the transaction of a run may hold the changes.
 * @param itemsBeside other items that it writes. @param unitsBeside units of these, outside of a transaction.
 */
export const fitsTransaction = (
  changes: readonly RunChange[],
  itemsBeside: number,
  unitsBeside: number,
  maxUnits = MAX_RUN_UNITS,
): boolean =>
  changes.reduce((sum, change) => sum + itemsOf(change), itemsBeside) <= MAX_TRANSACTION_ITEMS &&
  changes.reduce((sum, change) => sum + unitsOf(change), unitsBeside) * UNITS_OF_TRANSACTION <= maxUnits;

/** Returns about how long `changeLater` takes at its pace. */
export const paceMs = (changes: readonly Change[]): number =>
  durationMs(changes.reduce((sum, change) => sum + unitsOf(change) * UNITS_OF_TRANSACTION, 0));

/** Returns the changes as steps of the transaction that commits the run. */
export const changeNow = (projectId: string, run: number, changes: readonly RunChange[]): Transaction[] =>
  changes.flatMap((change) =>
    change.kind === "node"
      ? [updateNode(projectId, run, change, [NODE_EXISTS, ...guestAsRead(change)])]
      : updateLink(projectId, run, change, [LINK_EXISTS]),
  );

/**
 * Makes the changes of a commit that `pending` names, except those that were made already, or that later runs have overwritten.
 *
 *     state of a node or link    made unless the item has the state of this run or a later one
 *     whole item, or deletion    likewise, and only while `pending` names the commit: afterwards other requests may have deleted
 *                                the item, or created it again
 */
export async function changeLater(place: CommitPlace, { run, changes }: Commit): Promise<void> {
  const whole = changes.filter(isWhole);
  const states = changes.filter((change) => !isWhole(change));
  const pace = new WritePace();
  await forEachParallel(states, PARALLEL_WRITES, async (change) => {
    await pace.take(unitsOf(change));
    await changeAlone(place.project_id, run, change);
  });
  const guard = whilePending(place.project_id, place.attempt);
  // One transaction after the other: transactions with an item in common conflict.
  for (const batch of batches(whole)) {
    await pace.take(batch.reduce((sum, change) => sum + unitsOf(change), 1) * UNITS_OF_TRANSACTION);
    await changeAll(place.project_id, run, batch, guard);
  }
}

/** Makes a change of a run; outside of a transaction, if that is possible, which takes half the units. */
async function changeAlone(projectId: string, run: number, change: RunChange): Promise<void> {
  if (itemsOf(change) > 1) return changeAll(projectId, run, [change]);
  const update = change.kind === "node" ? nodeOnce(projectId, run, change) : linkOnce(projectId, run, change);
  if (await holds(update)) return;
  for (const left of withoutRefused(change)) await changeAlone(projectId, run, left);
}

const nodeOnce = (projectId: string, run: number, change: NodeChange) =>
  NodeEntity.build(UpdateItemCommand)
    .item(nodeFields(projectId, run, change))
    .options(when(NodeEntity, NODE_EXISTS, notYet(run)));

const linkOnce = (projectId: string, run: number, change: LinkChange) =>
  LinkEntity.build(UpdateItemCommand)
    .item(linkFields(projectId, run, change))
    .options(when(LinkEntity, ...linkTests(change, [LINK_EXISTS, notYet(run)])));

const isWhole = (change: Change): change is Exclude<Change, RunChange> =>
  change.kind === "put" || change.kind === "delete";

/** The guard of a transaction takes one of its items. */
const BATCH_ITEMS = MAX_TRANSACTION_ITEMS - 1;

function batches(changes: readonly Change[]): Change[][] {
  const result: Change[][] = [];
  let [items, bytes] = [BATCH_ITEMS, 0];
  for (const change of changes) {
    const [ownItems, ownBytes] = [itemsOf(change), weightOf(change)];
    if (items + ownItems > BATCH_ITEMS || bytes + ownBytes > MAX_TRANSACTION_BYTES) {
      result.push([]);
      [items, bytes] = [0, 0];
    }
    result.at(-1)!.push(change);
    items += ownItems;
    bytes += ownBytes;
  }
  return result;
}

/** Makes the changes in one transaction; repeats it without what was refused. */
async function changeAll(
  projectId: string,
  run: number,
  batch: readonly Change[],
  guard?: Transaction,
): Promise<void> {
  for (let left = batch; left.length > 0; ) {
    const steps = left.map((change, i) => [i, changeOnce(projectId, run, change)] as const);
    const refused: ReadonlySet<string> = await transact({ ...Object.fromEntries(steps), guard });
    if (refused.size === 0 || refused.has("guard")) return;
    left = left.flatMap((change, i) => (refused.has(String(i)) ? withoutRefused(change) : [change]));
  }
}

function changeOnce(projectId: string, run: number, change: Change): Transaction[] {
  switch (change.kind) {
    case "node":
      return [updateNode(projectId, run, change, [NODE_EXISTS, notYet(run)])];
    case "link":
      return updateLink(projectId, run, change, [LINK_EXISTS, notYet(run)]);
    case "put":
      return [putOnce(projectId, change.sk, change.item, run)];
    case "delete":
      return [deleteOnce(projectId, change.sk, run)];
  }
}

/** Returns what is left of a refused change: it was made already, or its item is gone, or another request changed a part of it. */
function withoutRefused(change: Change): LinkChange[] {
  if (change.kind !== "link") return [];
  const { document, added, ...state } = change;
  // Another request's newer settings stay; a capture that is gone needs no more packets.
  if (document) return [{ ...state, added }];
  return added ? [state] : [];
}

const notYet = (run: number) => ({
  or: [{ state_run: undefined }, { attr: "state_run" as const, lt: run }],
});

/** The project counts the difference, so no other request may have stopped the guest. */
const guestAsRead = ({ guestBytes }: NodeChange) =>
  guestBytes === undefined ? [] : [{ guest_bytes: guestBytes.before }];

const updateNode = (
  projectId: string,
  run: number,
  change: NodeChange,
  conditions: readonly Test<"node_id" | "state_run" | "guest_bytes">[],
): Transaction =>
  NodeEntity.build(UpdateTransaction)
    .item(nodeFields(projectId, run, change))
    .options(when(NodeEntity, ...conditions));

/**
 * Returns steps that update the link, if what the change touches is as the run has read it, and that write the page, if one is due, and the
 * packets, if they are an item.
 * An unchanged number of segments in a capture proves that the change was not made yet.
 */
function updateLink(
  projectId: string,
  run: number,
  change: LinkChange,
  conditions: readonly Test<"link_id" | "state_run">[],
): Transaction[] {
  const update = LinkEntity.build(UpdateTransaction)
    .item(linkFields(projectId, run, change))
    .options(when(LinkEntity, ...linkTests(change, conditions)));
  if (!change.added) return [update];
  const { capture_id, number, page, deflated } = change.added;
  return [
    update,
    ...(page ? [writePage(projectId, capture_id, number, page)] : []),
    ...(deflated ? [writePackets(projectId, capture_id, number, Buffer.from(deflated, "base64"))] : []),
  ];
}

function linkTests(
  { document, added, revision }: LinkChange,
  conditions: readonly Test<"link_id" | "state_run">[],
): readonly Test<"link_id" | "state_run" | "revision">[] {
  const isAsRead = {
    ...(document ? { revision } : {}),
    ...(added ? { "capture.capture_id": added.capture_id, "capture.segments": added.number } : {}),
  };
  return [isAsRead, ...(added ? [] : conditions)];
}

const nodeFields = (
  project_id: string,
  state_run: number,
  { node_id, status, state, guestBytes }: NodeChange,
) => ({
  project_id,
  node_id,
  status,
  state: state ?? $remove(),
  state_run,
  ...(guestBytes && { guest_bytes: guestBytes.after }),
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
