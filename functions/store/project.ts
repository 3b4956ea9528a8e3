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
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { failure } from "../api/errors.ts";
import type { Project, ProjectSettings } from "../api/schemas/project.ts";
import { document, storable } from "./document.ts";
import { nowUs, PROJECTS_INDEX, projectKey, table } from "./table.ts";
import { holds, STALE, transact } from "./transact.ts";

export const ProjectEntity = new Entity({
  name: "project",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    name: string(),
    filename: string(),
    status: string().enum("opened", "closed"),
    settings: document<ProjectSettings>(),
    /** Set while everything in the project is being removed: to all readers it is gone already. */
    deleting: boolean().optional(),
    created_us: number(),
    revision: number(),
    listing: string().const("PROJECTS").optional(),
    /** Counts runs, and what else a run under way must not overlook: see lab.ts. */
    run: number().optional(),
    /** Lab time of the end of the last run, microseconds since 1970: the next one starts no earlier. */
    clock_us: number().optional(),
    /** A run that is committed and not yet written out; names its changes. */
    pending: string().optional(),
    /** Whose turn it is to run the lab when several want to, and until when (milliseconds since 1970). */
    turn: map({ holder: string(), until_ms: number() }).optional(),
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

const unclaimed = { attr: "claimed", exists: false } as const;

export function toProject(stored: ProjectItem): Project {
  const { project_id, name, filename, status, settings } = stored;
  return { ...settings, project_id, name, filename, status, path: projectPath(project_id) };
}

/** Labs have no folders; clients that show the field get something to tell projects by. */
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

/** A step of a transaction that holds only while the project takes changes. */
export const whileOpened = (projectId: string) =>
  ProjectEntity.build(ConditionCheck)
    .key({ project_id: projectId })
    .condition({
      and: [
        { attr: "status", eq: "opened" },
        { attr: "deleting", exists: false },
      ],
    });

/**
 * A step of a transaction that changes what a run under way relies on: the run is then refused and repeated.
 * It waits itself for a run that is committed and not yet written out.
 */
export const disturbRuns = (projectId: string, clockUs?: number) =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: projectId, run: $add(1), ...(clockUs === undefined ? {} : { clock_us: clockUs }) })
    .options({
      condition: {
        and: [
          { attr: "project_id", exists: true },
          { attr: "pending", exists: false },
        ],
      },
    });

/** @returns whether the turn is the holder's now: nobody else has it, or their time is over. */
export const takeTurn = (project_id: string, holder: string, until_ms: number): Promise<boolean> =>
  holds(
    ProjectEntity.build(UpdateItemCommand)
      .item({ project_id, turn: $set({ holder, until_ms }) })
      .options({
        condition: {
          and: [
            { attr: "project_id", exists: true },
            {
              or: [
                { attr: "turn", exists: false },
                { attr: "turn.until_ms", lt: Date.now() },
                { attr: "turn.holder", eq: holder },
              ],
            },
          ],
        },
      }),
  );

export const leaveTurn = (project_id: string, holder: string): Promise<boolean> =>
  holds(
    ProjectEntity.build(UpdateItemCommand)
      .item({ project_id, turn: $remove() })
      .options({ condition: { attr: "turn.holder", eq: holder } }),
  );

/**
 * Creates a project and claims its name.
 * @throws ApiError `project.name-taken`; an id in use is told by `id-taken`, for the caller to read what is there.
 */
export async function createProject(
  project: Pick<ProjectItem, "project_id" | "name" | "settings">,
): Promise<ProjectItem | "id-taken"> {
  const { project_id, name } = project;
  const stored: ProjectItem = {
    ...project,
    settings: storable("project", project.settings),
    filename: `${name}.gns3`,
    status: "opened",
    created_us: nowUs(),
    listing: "PROJECTS",
    revision: 1,
  };
  const refused = await transact([
    ProjectEntity.build(PutTransaction)
      .item(stored)
      .options({ condition: { attr: "project_id", exists: false } }),
    NameEntity.build(PutTransaction).item({ claimed: name, project_id }).options({ condition: unclaimed }),
  ]);
  if (refused.includes(0)) return "id-taken";
  if (refused.includes(1)) throw failure("project.name-taken", { name });
  return stored;
}

export async function getProject(projectId: string): Promise<ProjectItem | undefined> {
  const { Item } = await ProjectEntity.build(GetItemCommand)
    .key({ project_id: projectId })
    .options({ consistent: true })
    .send();
  return Item;
}

/** All projects in creation order. */
export async function listProjects(): Promise<ProjectItem[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ index: PROJECTS_INDEX, partition: "PROJECTS" })
    .entities(ProjectEntity)
    .options({ maxPages: Number.POSITIVE_INFINITY })
    .send();
  return (Items ?? []).filter((stored) => !stored.deleting);
}

/**
 * Stores changed settings, and the claim of a changed name with them.
 * @returns STALE when somebody else changed the project meanwhile.
 * @throws ApiError `project.name-taken`
 */
export async function updateProject(
  before: ProjectItem,
  after: Pick<ProjectItem, "name" | "settings">,
): Promise<ProjectItem | typeof STALE> {
  const { project_id, revision } = before;
  const changes = {
    project_id,
    name: after.name,
    settings: storable("project", after.settings),
    revision: revision + 1,
  };
  const condition = {
    and: [
      { attr: "revision", eq: revision },
      { attr: "deleting", exists: false },
    ],
  } as const;
  if (after.name === before.name) {
    const update = ProjectEntity.build(UpdateItemCommand)
      .item(changes)
      .options({ condition: condition as never });
    return (await holds(update)) ? { ...before, ...changes } : STALE;
  }
  const refused = await transact([
    ProjectEntity.build(UpdateTransaction)
      .item(changes)
      .options({ condition: condition as never }),
    NameEntity.build(PutTransaction)
      .item({ claimed: after.name, project_id })
      .options({ condition: unclaimed }),
    NameEntity.build(DeleteTransaction).key({ claimed: before.name }),
  ]);
  if (refused.includes(0)) return STALE;
  if (refused.includes(1)) throw failure("project.name-taken", { name: after.name });
  return { ...before, ...changes };
}

/** @returns false when the project is gone meanwhile. */
export function setProjectStatus(projectId: string, status: Project["status"]): Promise<boolean> {
  return holds(
    ProjectEntity.build(UpdateItemCommand)
      .item({ project_id: projectId, status })
      .options({
        condition: {
          and: [
            { attr: "status", exists: true },
            { attr: "deleting", exists: false },
          ],
        },
      }),
  );
}

/**
 * Makes the project disappear for all readers and frees its name; what it holds is removed after that, and
 * `forgetProject` comes last, so that an interrupted removal can be taken up again by the same request.
 * @returns false when somebody changed the project since it was read.
 */
export async function markProjectDeleting(project: ProjectItem): Promise<boolean> {
  const { project_id, name, revision } = project;
  const refused = await transact([
    ProjectEntity.build(UpdateTransaction)
      .item({ project_id, deleting: true, listing: $remove(), revision: revision + 1 })
      .options({ condition: { attr: "revision", eq: revision } }),
    NameEntity.build(DeleteTransaction)
      .key({ claimed: name })
      .options({ condition: { attr: "project_id", eq: project_id } }),
  ]);
  return refused.length === 0;
}

export async function forgetProject(projectId: string): Promise<void> {
  await holds(ProjectEntity.build(DeleteItemCommand).key({ project_id: projectId }));
}
