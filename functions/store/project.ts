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
import { failure } from "../api/errors.ts";
import type { Project } from "../api/schemas/project.ts";
import { revealed } from "./access.ts";
import { document } from "./document.ts";
import { counting, less, roomFor, type Usage } from "./quota.ts";
import type { EarlierSettings, FromSettings } from "./stored-settings.ts";
import { projectKey, table } from "./table.ts";
import { holds, type Transaction, transact } from "./transact.ts";
import { uncountProject } from "./user-usage.ts";

export const ProjectEntity = new Entity({
  name: "project",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    name: string(),
    filename: string(),
    status: string().enum("opened", "closed"),
    /** Where an earlier release stored all settings. */
    settings: document<EarlierSettings>().optional(),
    /** The revision with which the settings in their own item were stored last. */
    settings_revision: number().optional(),
    /** These follow from the settings: see stored-settings.ts. */
    shares: document<NonNullable<FromSettings["shares"]>>().optional(),
    expires_at: string().optional(),
    seed: string().optional(),
    pinned_clock: string().optional(),
    /** Who made it; missing where nobody was asked who they are: then it is everybody's. See access.ts. */
    owner: string().optional(),
    /** Set while everything in the project is being removed: to all readers it is gone already. */
    deleting: boolean().optional(),
    created_us: number(),
    revision: number(),
    listing: string().enum("PROJECTS", "DELETING").optional(),
    /** Who finds it in their list: see seen.ts. */
    seen_by: string().optional(),
    /** Counts runs, and what else a run under way must not overlook: see lab.ts. */
    run: number().optional(),
    /** Lab time of the end of the last run, microseconds since 1970: the next one starts no earlier. */
    clock_us: number().optional(),
    /** A run that is committed and not yet written out; names its changes. */
    pending: string().optional(),
    /** So long (milliseconds since 1970) it is left to whoever is at it. */
    pending_until_ms: number().optional(),
    /** Whose turn it is to run the lab when several want to, and until when (milliseconds since 1970). */
    turn: map({ holder: string(), until_ms: number() }).optional(),
    /** What the project has: see quota.ts. */
    node_count: number().optional(),
    link_count: number().optional(),
    capture_count: number().optional(),
    stored_bytes: number().optional(),
    /** The user among whose projects it is counted. */
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

/** A step that claims a name; it is refused when another project has it. */
export const claimName = (project_id: string, claimed: string): Transaction =>
  NameEntity.build(PutTransaction)
    .item({ claimed, project_id })
    .options({ condition: { attr: "claimed", exists: false } });

export const releaseName = (claimed: string): Transaction =>
  NameEntity.build(DeleteTransaction).key({ claimed });

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

/** A step of a transaction that adds to the project: it holds only while that takes changes and has room. */
export const addWhileOpened = (projectId: string, added: Usage): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: projectId, ...counting(added) } as never)
    .options({
      condition: {
        and: [{ attr: "status", eq: "opened" }, { attr: "deleting", exists: false }, ...roomFor(added)],
      } as never,
    });

/** A step of a transaction that removes something; it holds while there is a project. */
export const discount = (projectId: string, removed: Usage): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({ project_id: projectId, ...counting(less(removed)) } as never)
    .options({ condition: { attr: "status", exists: true } });

/**
 * A step of a transaction that changes what a run under way relies on: the run is then refused and repeated.
 * It waits itself for a run that is committed and not yet written out.
 * @param added what the project must have room for.
 */
export const disturbRuns = (projectId: string, clockUs?: number, added: Usage = {}): Transaction =>
  ProjectEntity.build(UpdateTransaction)
    .item({
      project_id: projectId,
      run: $add(1),
      ...(clockUs === undefined ? {} : { clock_us: clockUs }),
      ...counting(added),
    } as never)
    .options({
      condition: {
        and: [{ attr: "status", exists: true }, { attr: "pending", exists: false }, ...roomFor(added)],
      } as never,
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

/** Undefined when there is none, or none that the caller is to know of; one that is being deleted is told. */
export async function getProject(projectId: string): Promise<ProjectItem | undefined> {
  const { Item } = await ProjectEntity.build(GetItemCommand)
    .key({ project_id: projectId })
    .options({ consistent: true })
    .send();
  return revealed(Item);
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

/** A condition: the project is the one that was read, and no other that has got its id since. */
export const same = ({ created_us }: ProjectItem) => ({ attr: "created_us", eq: created_us }) as const;

/**
 * Makes the project disappear for all readers and frees its name; what it holds is removed after that, and
 * `forgetProject` comes last, so that an interrupted removal can be taken up again by the same request.
 * @returns false when somebody changed the project since it was read.
 */
export async function markProjectDeleting(project: ProjectItem): Promise<boolean> {
  const { project_id, name, revision, counted_for } = project;
  const refused = await transact([
    ProjectEntity.build(UpdateTransaction)
      .item({
        project_id,
        deleting: true,
        listing: "DELETING",
        seen_by: $remove(),
        revision: revision + 1,
      })
      .options({ condition: { and: [{ attr: "revision", eq: revision }, same(project)] } as never }),
    NameEntity.build(DeleteTransaction)
      .key({ claimed: name })
      .options({ condition: { attr: "project_id", eq: project_id } }),
    ...(counted_for === undefined ? [] : [uncountProject(counted_for)]),
  ]);
  return refused.length === 0;
}

/** The last step. Somebody else's may have come first, and the id may be another project's by now: that one stays. */
export async function forgetProject(project: ProjectItem): Promise<void> {
  const { project_id } = project;
  await holds(
    ProjectEntity.build(DeleteItemCommand)
      .key({ project_id })
      .options({ condition: leaving(project) }),
  );
}

/** A step of a transaction that removes a part of the project: it holds while the project is marked and there. */
export const whileLeaving = (project: ProjectItem): Transaction =>
  ProjectEntity.build(ConditionCheck).key({ project_id: project.project_id }).condition(leaving(project));

/** Whether the project is marked and there: what was listed of its parts before this is asked is its own. */
export async function isLeaving({ project_id, created_us }: ProjectItem): Promise<boolean> {
  const { Item } = await ProjectEntity.build(GetItemCommand)
    .key({ project_id })
    .options({ consistent: true, attributes: ["created_us", "deleting"] })
    .send();
  return Item?.deleting === true && Item.created_us === created_us;
}

const leaving = (project: ProjectItem) => ({ and: [same(project), { attr: "deleting", eq: true }] }) as never;
