/** A run's changes as writes: steps of a transaction, or one by one, each at most once. */
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { SegmentEntity } from "./capture.ts";
import { LinkEntity } from "./link.ts";
import { NodeEntity } from "./node.ts";
import type { LinkChange, NodeChange, RunChange, SegmentChange } from "./run-changes.ts";
import { holds, type Transaction, transact } from "./transact.ts";

/** The change as steps of the transaction that is the run. */
export function changeNow(projectId: string, run: number, change: RunChange): Transaction[] {
  if (change.kind === "node") {
    const condition = { attr: "node_id", exists: true } as const;
    return [
      NodeEntity.build(UpdateTransaction)
        .item(nodeFields(projectId, run, change))
        .options({ condition }),
    ];
  }
  const { segment } = change;
  const update = LinkEntity.build(UpdateTransaction)
    .item(linkFields(projectId, run, change))
    .options({ condition: { and: linkConditions(change) } as never });
  if (segment === undefined) return [update];
  return [update, SegmentEntity.build(PutTransaction).item(segmentItem(projectId, segment))];
}

/** The change by itself, unless it or a later one was made already, or its node or link is gone. */
export async function changeOnce(projectId: string, run: number, change: RunChange): Promise<void> {
  if (change.kind === "node") {
    const options = { condition: { and: notYet("node_id", run) } } as never;
    await holds(
      NodeEntity.build(UpdateItemCommand)
        .item(nodeFields(projectId, run, change))
        .options(options),
    );
    return;
  }
  if (await linkOnce(projectId, run, change)) return;
  // Settings that somebody else has changed meanwhile are theirs; a capture that is gone needs no more packets.
  const { document: _theirs, ...rest } = change;
  if (await linkOnce(projectId, run, rest)) return;
  const { segment: _gone, ...state } = rest;
  await linkOnce(projectId, run, state);
}

/** @returns whether the link, and the segment with it, was written. */
async function linkOnce(projectId: string, run: number, change: LinkChange): Promise<boolean> {
  const update = LinkEntity.build(UpdateTransaction)
    .item(linkFields(projectId, run, change))
    .options({ condition: { and: [...notYet("link_id", run), ...linkConditions(change)] } as never });
  const { segment } = change;
  const put = segment ? [SegmentEntity.build(PutTransaction).item(segmentItem(projectId, segment))] : [];
  return (await transact([update, ...put])).length === 0;
}

const notYet = (id: string, run: number) => [
  { attr: id, exists: true },
  {
    or: [
      { attr: "state_run", exists: false },
      { attr: "state_run", lt: run },
    ],
  },
];

/** That the link is as the run has read it, as far as the change touches it. */
const linkConditions = ({ document, segment, revision }: LinkChange) => [
  { attr: "link_id", exists: true },
  ...(document ? [{ attr: "revision", eq: revision }] : []),
  ...(segment
    ? [
        { attr: "capture.capture_id", eq: segment.capture_id },
        { attr: "capture.segments", eq: segment.number },
      ]
    : []),
];

const nodeFields = (project_id: string, state_run: number, { node_id, status, state }: NodeChange) => ({
  project_id,
  node_id,
  status,
  state,
  state_run,
});

function linkFields(project_id: string, state_run: number, change: LinkChange) {
  const { link_id, state, document, segment } = change;
  return {
    project_id,
    link_id,
    state_run,
    ...(state ? { state } : {}),
    ...(document ? { document, revision: $add(1) } : {}),
    ...(segment ? { capture: captureFields(segment) } : {}),
  };
}

const captureFields = ({ number, packets, bytes, end_ns, limit_reached }: SegmentChange) => ({
  segments: number + 1,
  packets,
  bytes,
  end_ns,
  ...(limit_reached ? { limit_reached } : {}),
});

const segmentItem = (project_id: string, { capture_id, number, object_key }: SegmentChange) => ({
  project_id,
  capture_id,
  number,
  object_key,
});
