/** Commits whose changes are not all made, and the requests that make them: commit.ts. */
import { setTimeout as sleep } from "node:timers/promises";
import { $remove, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { SERVICE } from "../../edge/access.ts";
import { failure } from "../../edge/errors.ts";
import { holds } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { getProject, ProjectEntity, type ProjectItem } from "../project/project.ts";
import { type Commit, type CommitPlace, discardCommit, readCommit } from "./commit-object.ts";
import type { Change } from "./run-changes.ts";
import { changeLater, paceMs } from "./run-steps.ts";

/**
 * Other requests leave a commit to its function for this long, because concurrent writers conflict, and for as long as its writes take at
 * their pace.
 */
const WRITE_OUT_MS = 2_000;
const LOOK_AGAIN_MS = 25;

/** A commit whose changes are not all made: the id of its object, and the time until which one request has claimed it. */
export interface Pending {
  readonly pending: string;
  readonly pending_until_ms: number;
}

/** Returns what the commit sets in the project: other requests leave its changes to this request meanwhile. */
export const pendingFrom = (attempt: string, changes: readonly Change[]): Pending => ({
  pending: attempt,
  pending_until_ms: Date.now() + WRITE_OUT_MS + paceMs(changes),
});

/** Resolves when the pending commit of the project, as it was read, has been written out, by this request or another. */
export async function settlePending({ project_id, pending, ...read }: ProjectItem): Promise<void> {
  if (pending === undefined) return;
  for (let untilMs = read.pending_until_ms ?? 0; ; ) {
    if (Date.now() >= untilMs && (await takeOver(project_id, pending, untilMs))) {
      return finishPending({ project_id, attempt: pending });
    }
    await sleep(LOOK_AGAIN_MS);
    const project = await getProject(SERVICE, project_id);
    if (project?.pending !== pending) return;
    untilMs = project.pending_until_ms ?? 0;
  }
}

/** @returns false when the commit is written out, or another request has claimed it. */
const takeOver = (project_id: string, pending: string, untilMs: number): Promise<boolean> =>
  holds(
    ProjectEntity.build(UpdateItemCommand)
      .item({ project_id, pending_until_ms: Date.now() + WRITE_OUT_MS })
      .options(when(ProjectEntity, { pending, pending_until_ms: untilMs || undefined })),
  );

/**
 * Makes the stored changes of a commit. Idempotent; several requests may do so at once.
 * @throws ApiError `store.damaged` when its object is lost.
 */
async function finishPending(place: CommitPlace): Promise<void> {
  const commit = await readCommit(place);
  if (commit) return writeOut(place, commit);
  // Another request has written it out meanwhile.
  if ((await getProject(SERVICE, place.project_id))?.pending !== place.attempt) return;
  throw failure("store.damaged", { what: "S3 bucket", detail: `commit ${place.attempt} is missing` });
}

/** Makes the changes of a commit, and removes `pending` and the object. */
export async function writeOut(place: CommitPlace, commit: Commit): Promise<void> {
  await changeLater(place, commit);
  await holds(
    ProjectEntity.build(UpdateItemCommand)
      .item({ project_id: place.project_id, pending: $remove(), pending_until_ms: $remove() })
      .options(when(ProjectEntity, { pending: place.attempt })),
  );
  await discardCommit(place);
}
