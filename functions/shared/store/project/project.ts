/** Projects and the claims of their names. */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteItemCommand } from "dynamodb-toolbox/entity/actions/delete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { ConditionCheck } from "dynamodb-toolbox/entity/actions/transactCheck";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, $remove, $set, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { map } from "dynamodb-toolbox/schema/map";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import type { Access } from "../../edge/access.ts";
import { failure } from "../../edge/errors.ts";
import { namespaceOf } from "../../edge/namespace.ts";
import type { Project } from "../../schemas/project.ts";
import type { Snapshot } from "../../schemas/snapshot.ts";
import { optionalDocument } from "../base/document.ts";
import { projectKey, table } from "../base/table.ts";
import { holds, holdsAll, type Transaction } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { counting, less, roomFor, type Usage } from "../limits/quota.ts";
import { uncountProject } from "../limits/user-usage.ts";
import { revealed } from "./access.ts";
import { leaveSettings } from "./project-settings.ts";
import type { EarlierSettings, FromSettings } from "./stored-settings.ts";

export interface RestoredSnapshot {
  readonly run: number;
  readonly snapshot: Snapshot;
}

export const ProjectEntity = new Entity({
  name: "project",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    name: string(),
    filename: string(),
    status: string().enum("opened", "closed"),
    /** Present in projects whose settings an earlier release stored. */
    settings: optionalDocument<EarlierSettings>(),
    /** The revision at which the separate item of settings was last stored. */
    settings_revision: number().optional(),
    /** Derived from the settings, like the attributes below: see stored-settings.ts. */
    shares: optionalDocument<NonNullable<FromSettings["shares"]>>(),
    expires_at: string().optional(),
    seed: string().optional(),
    pinned_clock: string().optional(),
    /** The user who created the project; missing if callers were anonymous: then all users may use it. See access.ts. */
    owner: string().optional(),
    /** Set while the project's parts are being removed; readers already treat the project as deleted. */
    deleting: boolean().optional(),
    created_us: number(),
    revision: number(),
    listing: string().enum("PROJECTS", "DELETING").optional(),
    /** The partition of the index that lists it: see seen.ts. */
    seen_by: string().optional(),
    /** Counts runs and other changes that a concurrent run must take into account: see ../commit/commit.ts. */
    run: number().optional(),
    /** Counts additions to the project and removals from it: nodes, links, captures, drawings, files, snapshots. */
    contents: number().optional(),
    /** The snapshot that was restored last, and the value of `run` since then. */
    restored: optionalDocument<RestoredSnapshot>(),
    /** Lab time of the end of the last run, microseconds since 1970: the next run starts no earlier. */
    clock_us: number().optional(),
    /** Identifies the changes of a large commit that are not all made yet. */
    pending: string().optional(),
    /** Names the states that the last large run has written: see ../commit/lab-states.ts. */
    states: string().optional(),
    /** Counts the replays that only moved counters. */
    replays: number().optional(),
    /** Until then (milliseconds since 1970) other requests leave these changes to the request that claimed them. */
    pending_until_ms: number().optional(),
    /** The request whose turn it is to run the lab, and until when (milliseconds since 1970). */
    turn: map({ holder: string(), until_ms: number() }).optional(),
    /** Set with the first node on a registered compute: its computes have a project with this id. */
    on_computes: boolean().optional(),
    /** Usage of the project, like the attributes below: see quota.ts. */
    node_count: number().optional(),
    link_count: number().optional(),
    capture_count: number().optional(),
    drawing_count: number().optional(),
    snapshot_count: number().optional(),
    file_count: number().optional(),
    stored_bytes: number().optional(),
    /** How many deletions of parts can be undone, or have expired and are not forgotten yet: see ../deletion. */
    deletions: number().optional(),
    /** The user whose number of projects includes this one. */
    counted_for: string().optional(),
  }),
  computeKey: ({ project_id }) => ({ pk: projectKey(project_id), sk: "META" }),
});

export type ProjectItem = FormattedItem<typeof ProjectEntity>;

const NameEntity = new Entity({
  name: "project-name",
  table,
  timestamps: false,
  schema: item({ claimed: string().key(), project_id: string() }),
  computeKey: ({ claimed }) => ({ pk: "PROJECT_NAMES", sk: claimed }),
});

type Named = Pick<ProjectItem, "project_id" | "name"> & { readonly owner?: string | undefined };

/** A name is unique among the projects of a namespace, and among all others. No name has a tab. */
function claimOf({ name, owner }: Named): string {
  const namespace = namespaceOf(owner);
  return namespace === undefined ? name : `${namespace}\t${name}`;
}

/** Returns a step that claims a project's name; it fails when another project has the name. */
export const claimName = (project: Named): Transaction =>
  NameEntity.build(PutTransaction)
    .item({ claimed: claimOf(project), project_id: project.project_id })
    .options(when(NameEntity, { claimed: undefined }));

export const releaseName = (project: Named): Transaction =>
  NameEntity.build(DeleteTransaction).key({ claimed: claimOf(project) });

/** Labs have no folders; clients that show the field get a distinct path for each project. */
export const projectPath = (projectId: string): string => `/projects/${projectId}`;

/** @throws ApiError `project.not-found` */
export function existingProject(stored: ProjectItem | undefined, projectId: string): ProjectItem {
  if (stored === undefined || stored.deleting) throw failure("project.not-found", { project_id: projectId });
  return stored;
}

/** @throws ApiError `project.not-found`, `project.not-opened` */
export function openedProject(stored: ProjectItem | undefined, projectId: string): ProjectItem {
  const project = existingProject(stored, projectId);
  if (project.status !== "opened") throw failure("project.not-opened");
  return project;
}

/** Returns a condition for a transaction that makes changes of a large commit: see ../commit/commit.ts. */
export const whilePending = (project_id: string, attempt: string): Transaction =>
  ProjectEntity.build(ConditionCheck)
    .key({ project_id })
    .condition(when(ProjectEntity, { pending: attempt, deleting: undefined }).condition);

/**
 * Returns a step that notes a replay that only moves counters, for large runs: they store all counters anew. It succeeds while the project
 * that was read is there, and no large run was committed since.
 */
export const noteReplay = (project: ProjectItem): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: project.project_id, replays: $add(1) })
    .options(when(ProjectEntity, { ...same(project), states: project.states, deleting: undefined }));

/** Returns a step that adds to the project; it succeeds only while the project accepts changes and has room. */
export const addWhileOpened = (
  projectId: string,
  added: Usage,
  noted: Pick<ProjectItem, "on_computes"> = {},
): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: projectId, contents: $add(1), ...noted, ...counting(added) })
    .options(
      when(ProjectEntity, { status: "opened", deleting: undefined, pending: undefined }, ...roomFor(added)),
    );

/** Returns a step that notes that nodes move to computes, which a concurrent run relies on; it succeeds as `addWhileOpened`. */
export const noteMove = (projectId: string): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: projectId, contents: $add(1), run: $add(1), on_computes: true })
    .options(when(ProjectEntity, { status: "opened", deleting: undefined, pending: undefined }));

/** Returns a step that adds to an opened or closed project; it succeeds while the project exists and has room. */
export const addWhileThere = (projectId: string, added: Usage): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: projectId, contents: $add(1), ...counting(added) })
    .options(
      when(
        ProjectEntity,
        { deleting: undefined, pending: undefined },
        { attr: "status", exists: true },
        ...roomFor(added),
      ),
    );

/** Returns a step that subtracts removed usage; it succeeds while the project exists and no commit is pending. */
export const discount = (projectId: string, removed: Usage): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: projectId, contents: $add(1), ...counting(less(removed)) })
    .options(when(ProjectEntity, { pending: undefined }, { attr: "status", exists: true }));

/**
 * Returns a step that changes what a concurrent run relies on: the run's commit is then refused and the run repeated.
 * The step fails while a committed run is not yet written out.
 * @param asRead attributes that must be as they were read.
 */
export const disturbRuns = (
  projectId: string,
  asRead: Partial<Pick<ProjectItem, "states">> = {},
): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: projectId, run: $add(1) })
    .options(when(ProjectEntity, { pending: undefined, ...asRead }, { attr: "status", exists: true }));

/** @returns true when the holder now has the turn: no other request had it, or its time was over. */
export const takeTurn = (project_id: string, holder: string, until_ms: number): Promise<boolean> =>
  holds(
    ProjectEntity.build(UpdateItemCommand)
      .item({ project_id, turn: $set({ holder, until_ms }) })
      .options(
        when(
          ProjectEntity,
          { attr: "project_id", exists: true },
          { or: [{ turn: undefined }, { attr: "turn.until_ms", lt: Date.now() }, { "turn.holder": holder }] },
        ),
      ),
  );

export const leaveTurn = (project_id: string, holder: string): Promise<boolean> =>
  holds(
    ProjectEntity.build(UpdateItemCommand)
      .item({ project_id, turn: $remove() })
      .options(when(ProjectEntity, { "turn.holder": holder })),
  );

/** Returns undefined when there is no such project or the caller may not see it. Returns projects that are being deleted. */
export async function getProject(access: Access, projectId: string): Promise<ProjectItem | undefined> {
  const { Item } = await ProjectEntity.build(GetItemCommand)
    .key({ project_id: projectId })
    .options({ consistent: true })
    .send();
  return revealed(access, Item);
}

/** @returns false when the project was deleted meanwhile. */
export function setProjectStatus(projectId: string, status: Project["status"]): Promise<boolean> {
  return holds(
    ProjectEntity.build(UpdateItemCommand)
      .item({ project_id: projectId, status })
      .options(when(ProjectEntity, { deleting: undefined }, { attr: "status", exists: true })),
  );
}

/** Condition: the project is the one that was read, not another that has got its id since. */
export const same = ({ created_us }: ProjectItem) => ({ created_us });

/**
 * Hides the project from all readers and frees its name. The caller then removes the project's parts and calls
 * `forgetProject` last, so the same request can continue an interrupted removal.
 * @returns false when another request changed the project since it was read.
 */
export function markProjectDeleting(project: ProjectItem): Promise<boolean> {
  const { project_id, revision, settings_revision, counted_for } = project;
  return holdsAll([
    ProjectEntity.build(UpdateTransaction)
      .item({
        project_id,
        deleting: true,
        listing: "DELETING",
        seen_by: $remove(),
        revision: revision + 1,
      })
      .options(when(ProjectEntity, { revision, ...same(project) })),
    ...(settings_revision === undefined ? [] : [leaveSettings(project_id)]),
    NameEntity.build(DeleteTransaction)
      .key({ claimed: claimOf(project) })
      .options(when(NameEntity, { project_id })),
    ...(counted_for === undefined ? [] : [uncountProject(counted_for)]),
  ]);
}

/** Removes the project's item, the last step. If another request was first and the id is another project's now, that project stays. */
export async function forgetProject(project: ProjectItem): Promise<void> {
  const { project_id } = project;
  await holds(ProjectEntity.build(DeleteItemCommand).key({ project_id }).options(stillLeaving(project)));
}

/** Returns a condition for a transaction that removes a part of the project: the project exists and is marked as deleting. */
export const whileLeaving = (project: ProjectItem): Transaction =>
  ProjectEntity.build(ConditionCheck)
    .key({ project_id: project.project_id })
    .condition(stillLeaving(project).condition);

/** Returns whether the project exists and is marked. If so, parts that were listed before this call are this project's. */
export async function isLeaving({ project_id, created_us }: ProjectItem): Promise<boolean> {
  const { Item } = await ProjectEntity.build(GetItemCommand)
    .key({ project_id })
    .options({ consistent: true, attributes: ["created_us", "deleting"] })
    .send();
  return Item?.deleting === true && Item.created_us === created_us;
}

/** Condition: the project is the one that was read, and marked. */
export const stillLeaving = (project: ProjectItem) =>
  when(ProjectEntity, { ...same(project), deleting: true });
