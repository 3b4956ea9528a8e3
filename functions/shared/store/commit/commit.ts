/**
 * How a run is committed: everything it changed, or nothing.
 *
 *     small   one transaction: the project's run counter raised, if no other run did, and every change
 *     large   one object in the bucket with the states of devices and the counters of links      (not read yet)
 *             the project's run counter raised, `states` names the object     <- the run is committed here
 *             what else the run changes, in the same transaction
 *
 *     with more other changes than a transaction takes, or than a partition key takes at once: power, captures, filters
 *             a second object with these changes               (not read yet)
 *             the project's run counter raised, `states` names the first object, `pending` the second     <- committed here
 *             the changes made, each unless it was made already, below the throughput of a partition key
 *             `pending` removed, then the second object
 *
 * A request that reads a project with `pending` set waits a moment for the committing function, then makes the changes in its
 * place. So the next request finishes a commit whose function died after the second step. A function that died before the second
 * step, or after `pending` was removed, leaves objects that the sweeper deletes, like those of states that later runs have replaced.
 *
 * The run counter orders all changes that a run must take into account: other runs, replays into captures, the end of a capture.
 */
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $remove } from "dynamodb-toolbox/entity/actions/update";
import { failure } from "../../edge/errors.ts";
import type { Receipt } from "../../edge/idempotency.ts";
import { logger } from "../../edge/log.ts";
import { keepIfWritten } from "../base/objects.ts";
import { writeUnits } from "../base/pace.ts";
import { type Transaction, transact } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { carriedOut } from "../idempotency/idempotency.ts";
import { counting, roomFor, type Usage } from "../limits/quota.ts";
import { ProjectEntity, type ProjectItem } from "../project/project.ts";
import { writeCommit } from "./commit-object.ts";
import { type CountPart, countsAfter, type LinkCounts } from "./count-parts.ts";
import { type LabStates, readStates, writeStates } from "./lab-states.ts";
import { type CountingStep, countingSteps, readCounters, readCreations } from "./link-counters.ts";
import { type Pending, pendingFrom, writeOut } from "./pending.ts";
import {
  apartFromStates,
  bytesAddedBy,
  type Change,
  guestBytesAddedBy,
  type RunChange,
} from "./run-changes.ts";
import { changeNow, fitsTransaction, MAX_STATE_UNITS } from "./run-steps.ts";

/** What a commit changes in the project itself. */
export interface ProjectChange {
  /** The lab's clock afterwards; unchanged when absent. */
  readonly clockUs?: number | undefined;
  /** Usage that the project must have room for; negative amounts subtract. */
  readonly added?: Usage;
  /** Stored bytes that are added also when there is no room; negative amounts subtract. */
  readonly guestBytes?: number;
  /** Other attributes of the project's item. */
  readonly fields?: object;
  /** Attributes, beside the run counter, that other requests must not have changed since the project was read. */
  readonly asRead?: readonly (keyof Usage | "contents" | "revision" | "replays")[];
  /** Identifies the request that the commit serves; the same transaction marks it as executed. */
  readonly receipt?: Receipt | undefined;
  /** Other steps of the transaction that commits. */
  readonly beside?: readonly Transaction[];
}

/**
 * Sets the counter and the clock and ends the turn, if the lab has not changed since the project was read. Opens a closed
 * project.
 */
const nextRun = (
  project: ProjectItem,
  { clockUs, added = {}, guestBytes = 0, fields, asRead = [] }: ProjectChange,
  pending?: Pending,
) => {
  const { project_id, run = 0 } = project;
  const counted = { ...added, stored_bytes: (added.stored_bytes ?? 0) + guestBytes };
  return ProjectEntity.build(UpdateTransaction)
    .item({
      project_id,
      run: run + 1,
      ...(clockUs === undefined ? {} : { clock_us: clockUs }),
      ...(project.status === "closed" ? { status: "opened" } : {}),
      turn: $remove(),
      ...pending,
      ...counting(counted),
      ...fields,
    } as never)
    .options(
      when(
        ProjectEntity,
        { run: project.run, status: project.status, deleting: undefined, pending: undefined },
        Object.fromEntries(asRead.map((attr) => [attr, project[attr]])),
        ...roomFor(added),
      ),
    );
};

/**
 * @param clockUs the lab's clock at the end of the run.
 * @param traffic what the run adds to the counters of links.
 * @returns false when the lab changed since the project was read; then the run changed nothing.
 * @throws ApiError `idempotency.in-progress` when another call has taken over the request.
 */
export async function commitRun(
  project: ProjectItem,
  clockUs: number,
  changes: readonly RunChange[],
  traffic: readonly LinkCounts[] = [],
  receipt?: Receipt,
): Promise<boolean> {
  const run = (project.run ?? 0) + 1;
  const parts = traffic.length > 0 ? await readCounters(project.project_id) : [];
  const states = traffic.length > 0 ? await readStates(project) : undefined;
  const counting = states ? await countingSteps(project, parts, states, traffic, run) : [];
  const guestBytes = guestBytesAddedBy(changes);
  const change = { clockUs, added: { stored_bytes: bytesAddedBy(changes) }, guestBytes, receipt };
  const beside = counting.map(({ step }) => step);
  const unitsBeside = unitsOfCounting(counting);
  if (fitsTransaction(changes, RUN_ITEMS + beside.length, unitsBeside, MAX_STATE_UNITS)) {
    const steps = changeNow(project.project_id, run, changes);
    return happens(nextRun(project, change), [...steps, ...beside], receipt);
  }
  return commitWithStates(project, changes, { parts, traffic }, change);
}

const unitsOfCounting = (steps: readonly CountingStep[]): number =>
  steps.reduce((sum, { bytes }) => sum + writeUnits(bytes), 0);

/** Commits a large run: states and counters as one object, all else as a commit of any size. */
async function commitWithStates(
  project: ProjectItem,
  changes: readonly RunChange[],
  { parts, traffic }: { readonly parts: readonly CountPart[]; readonly traffic: readonly LinkCounts[] },
  change: ProjectChange,
): Promise<boolean> {
  const { project_id } = project;
  const run = (project.run ?? 0) + 1;
  const { nodes, left } = apartFromStates(changes);
  const before = await readStates(project);
  const after = before.after(run, nodes, countsAfter(parts, before, traffic));
  const { key, name } = await writeStates(project_id, await withoutLeftovers(project, after));
  // The nodes whose guests are counted are written later: none of them may be removed before.
  const isCounted = change.guestBytes !== 0;
  const asRead = ["replays", ...(isCounted ? (["contents"] as const) : [])] as const;
  const whole = { ...change, asRead, fields: { states: name } };
  const written = fitsTransaction(left, RUN_ITEMS, 0)
    ? happens(nextRun(project, whole), changeNow(project_id, run, left), change.receipt)
    : commitLarge(project, left, whole);
  return keepIfWritten([key], written);
}

/** Returns the states without those of nodes and links that are gone, when these are most of all. */
async function withoutLeftovers(project: ProjectItem, states: LabStates): Promise<LabStates> {
  const { project_id, node_count = 0, link_count = 0 } = project;
  if (states.size <= 2 * (node_count + link_count) + FEW_LEFTOVERS) return states;
  const [nodes, links] = await Promise.all([
    readCreations(project_id, "NODE#"),
    readCreations(project_id, "LINK#"),
  ]);
  return states.only(new Map([...nodes, ...links]));
}

const FEW_LEFTOVERS = 32;

/** The project and the receipt. */
const RUN_ITEMS = 2;

async function happens(
  next: Transaction,
  changes: readonly Transaction[],
  receipt: Receipt | undefined,
): Promise<boolean> {
  const refused = await transact({ next, changes, receipt: carriedOut(receipt) });
  if (refused.has("receipt")) throw failure("idempotency.in-progress");
  return refused.size === 0;
}

/**
 * Commits any number of changes at once: an interruption at any step leaves all of them made, by this request or the next reader of
 * the project, or none.
 * @param project as it was read.
 * @param discard deletes the objects that only replaced items name. Called when all changes are made: until then requests read these
 *   items. When another request makes the changes, the sweeper deletes the objects.
 * @returns false when the lab changed since the project was read; then nothing was changed.
 * @throws ApiError `idempotency.in-progress` when another call has taken over the request.
 */
export async function commitLarge(
  project: ProjectItem,
  changes: readonly Change[],
  change: ProjectChange,
  discard: () => Promise<void> = async () => {},
): Promise<boolean> {
  const place = { project_id: project.project_id, attempt: crypto.randomUUID() };
  const commit = { run: (project.run ?? 0) + 1, changes };
  const key = await writeCommit(place, commit);
  const next = nextRun(project, change, pendingFrom(place.attempt, changes));
  if (!(await keepIfWritten([key], happens(next, change.beside ?? [], change.receipt)))) return false;
  // The commit is final: if this fails, the next reader of the project writes it out.
  await writeOut(place, commit).then(discard, (error: unknown) => {
    logger.warn("A commit is not written out yet", { ...place, error: error as Error });
  });
  return true;
}
