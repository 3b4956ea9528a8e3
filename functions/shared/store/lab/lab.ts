/**
 * How a run is committed: everything it changed, or nothing.
 *
 *     small   one transaction: the project's run counter raised, if no other run did, and every change
 *     large   the changes as items of their own        (not read yet)
 *             the project's run counter raised, `pending` names them    <- the run is committed here
 *             the changes made, each unless it was made already, many in a transaction
 *             `pending` removed, then the items
 *
 * A request that reads a project with `pending` set waits a moment for the run's own function, then makes the changes in its
 * place. So the next request finishes a run whose function died after the second step. A function that died before the second
 * step leaves only items that expire.
 *
 * The run counter orders all changes that a run must take into account: other runs, replays into captures, the end of a capture.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { Entity } from "dynamodb-toolbox/entity";
import { BatchDeleteRequest } from "dynamodb-toolbox/entity/actions/batchDelete";
import { BatchPutRequest } from "dynamodb-toolbox/entity/actions/batchPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $remove, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { binary } from "dynamodb-toolbox/schema/binary";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { failure } from "../../edge/errors.ts";
import type { Receipt } from "../../edge/idempotency.ts";
import { logger } from "../../edge/log.ts";
import { batchDelete, batchPut } from "../base/batch.ts";
import { carriedOut } from "../base/idempotency.ts";
import { table } from "../base/table.ts";
import { holds, type Transaction, transact } from "../base/transact.ts";
import { counting, roomFor, type Usage } from "../limits/quota.ts";
import { getProject, ProjectEntity, type ProjectItem } from "../project/project.ts";
import { bytesAddedBy, type RunChange, sizeOf } from "../run/run-changes.ts";
import { changeLater, changeNow, fitsTransaction } from "../run/run-steps.ts";

const ChangesEntity = new Entity({
  name: "run-changes",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    attempt: string().key(),
    number: number().key(),
    run: number(),
    /** JSON of the changes, compressed. */
    changes: binary(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ project_id, attempt, number }) => ({
    pk: changesKey(project_id, attempt),
    sk: `CHANGES#${String(number).padStart(6, "0")}`,
  }),
});

const changesKey = (projectId: string, attempt: string): string => `RUN#${projectId}#${attempt}`;

/** Uncompressed JSON in one item of changes; an item holds 400 KB. */
const CHUNK_BYTES = 250_000;
/** Longer than any function lives: items that are older belong to abandoned attempts. */
const KEPT_SECONDS = 86_400;

/** Other requests leave a committed run to its function for this long, because concurrent writers conflict. */
const WRITE_OUT_MS = 2_000;
const LOOK_AGAIN_MS = 25;

/** A committed run that is not written out yet: the id of its changes, and the time until which one request has claimed them. */
interface Pending {
  readonly pending: string;
  readonly pending_until_ms: number;
}

/**
 * Sets the counter and the clock and ends the turn, if the lab has not changed since the project was read. Opens a closed
 * project.
 */
const nextRun = (project: ProjectItem, clockUs: number, added: Usage, pending?: Pending) => {
  const { project_id, run = 0 } = project;
  return ProjectEntity.build(UpdateTransaction)
    .item({
      project_id,
      run: run + 1,
      clock_us: clockUs,
      ...(project.status === "closed" ? { status: "opened" } : {}),
      turn: $remove(),
      ...pending,
      ...counting(added),
    } as never)
    .options({
      condition: {
        and: [
          run === 0 ? { attr: "run", exists: false } : { attr: "run", eq: run },
          { attr: "status", eq: project.status },
          { attr: "deleting", exists: false },
          { attr: "pending", exists: false },
          ...roomFor(added),
        ],
      } as never,
    });
};

/**
 * @param clockUs the lab's clock at the end of the run.
 * @param receipt identifies the request that the run serves; the same transaction marks it as executed.
 * @returns false when the lab changed since the project was read; then the run changed nothing.
 * @throws ApiError `idempotency.in-progress` when another call has taken over the request.
 */
export async function commitRun(
  project: ProjectItem,
  clockUs: number,
  changes: readonly RunChange[],
  receipt?: Receipt,
): Promise<boolean> {
  const run = (project.run ?? 0) + 1;
  const added = { stored_bytes: bytesAddedBy(changes) };
  if (fitsTransaction(changes, RUN_ITEMS)) {
    const steps = changeNow(project.project_id, run, changes);
    return happens(nextRun(project, clockUs, added), steps, receipt);
  }
  return commitLarge(project, run, clockUs, changes, receipt);
}

/** The project and the receipt. */
const RUN_ITEMS = 2;

async function happens(
  next: Transaction,
  changes: readonly Transaction[],
  receipt: Receipt | undefined,
): Promise<boolean> {
  const refused = await transact([next, ...changes, ...carriedOut(receipt)]);
  if (refused.includes(1 + changes.length)) throw failure("idempotency.in-progress");
  return refused.length === 0;
}

async function commitLarge(
  project: ProjectItem,
  run: number,
  clockUs: number,
  changes: readonly RunChange[],
  receipt: Receipt | undefined,
): Promise<boolean> {
  const { project_id } = project;
  const added = { stored_bytes: bytesAddedBy(changes) };
  const attempt = crypto.randomUUID();
  const expires_s = Math.floor(Date.now() / 1000) + KEPT_SECONDS;
  const requests = chunks(changes).map((chunk, number) =>
    ChangesEntity.build(BatchPutRequest).item({
      project_id,
      attempt,
      number,
      run,
      changes: gzipSync(JSON.stringify(chunk)),
      expires_s,
    }),
  );
  await batchPut(requests);
  const pending = { pending: attempt, pending_until_ms: Date.now() + WRITE_OUT_MS };
  if (!(await happens(nextRun(project, clockUs, added, pending), [], receipt))) {
    await forget(project_id, attempt, requests.length);
    return false;
  }
  // The run is committed: if this fails, the next reader of the project writes it out.
  await writeOut(project_id, attempt, run, changes, requests.length).catch((error: unknown) => {
    logger.warn("A committed run is not written out yet", { project_id, attempt, error: error as Error });
  });
  return true;
}

/** Resolves when the pending run of the project, as it was read, has been written out, by this request or another. */
export async function settlePending({ project_id, pending, ...read }: ProjectItem): Promise<void> {
  if (pending === undefined) return;
  for (let untilMs = read.pending_until_ms ?? 0; ; ) {
    if (Date.now() >= untilMs && (await takeOver(project_id, pending, untilMs))) {
      return finishPending(project_id, pending);
    }
    await sleep(LOOK_AGAIN_MS);
    const project = await getProject(project_id);
    if (project?.pending !== pending) return;
    untilMs = project.pending_until_ms ?? 0;
  }
}

/** @returns false when the run is written out, or another request has claimed it. */
const takeOver = (project_id: string, pending: string, untilMs: number): Promise<boolean> =>
  holds(
    ProjectEntity.build(UpdateItemCommand)
      .item({ project_id, pending_until_ms: Date.now() + WRITE_OUT_MS })
      .options({
        condition: {
          and: [
            { attr: "pending", eq: pending },
            untilMs === 0
              ? { attr: "pending_until_ms", exists: false }
              : { attr: "pending_until_ms", eq: untilMs },
          ],
        },
      }),
  );

/** Makes the stored changes of a committed run. Idempotent; several requests may do so at once. */
async function finishPending(projectId: string, attempt: string): Promise<void> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: changesKey(projectId, attempt) })
    .entities(ChangesEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  const written = Items ?? [];
  const changes = written.flatMap(({ changes }) => JSON.parse(gunzipSync(changes).toString()) as RunChange[]);
  await writeOut(projectId, attempt, written[0]?.run ?? 0, changes, written.length);
}

async function writeOut(
  projectId: string,
  attempt: string,
  run: number,
  changes: readonly RunChange[],
  items: number,
): Promise<void> {
  await changeLater(projectId, run, changes);
  await holds(
    ProjectEntity.build(UpdateItemCommand)
      .item({ project_id: projectId, pending: $remove(), pending_until_ms: $remove() })
      .options({ condition: { attr: "pending", eq: attempt } }),
  );
  await forget(projectId, attempt, items);
}

const forget = (project_id: string, attempt: string, count: number): Promise<void> =>
  batchDelete(
    Array.from({ length: count }, (_, number) =>
      ChangesEntity.build(BatchDeleteRequest).key({ project_id, attempt, number }),
    ),
  );

function chunks(changes: readonly RunChange[]): RunChange[][] {
  const result: RunChange[][] = [];
  let bytes = CHUNK_BYTES;
  for (const change of changes) {
    const size = sizeOf(change);
    if (bytes + size > CHUNK_BYTES) {
      result.push([]);
      bytes = 0;
    }
    result.at(-1)!.push(change);
    bytes += size;
  }
  return result;
}
