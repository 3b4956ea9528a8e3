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
import type { Project, ProjectSettings } from "../api/schemas/project.ts";
import { ownerOfNew, revealed } from "./access.ts";
import { document, storable } from "./document.ts";
import { counting, less, quota, roomFor, type Usage } from "./quota.ts";
import { hideFrom, seenBy, showTo } from "./seen.ts";
import { nowUs, projectKey, table } from "./table.ts";
import { holds, STALE, type Transaction, transact } from "./transact.ts";
import { countProject, uncountProject } from "./user-usage.ts";

/** Of projects from before there were these, they are missing. */
type Later = "shared_with" | "expires_at";
type StoredSettings = Omit<ProjectSettings, Later> & Partial<Pick<ProjectSettings, Later>>;

export const ProjectEntity = new Entity({
  name: "project",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    name: string(),
    filename: string(),
    status: string().enum("opened", "closed"),
    settings: document<StoredSettings>(),
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

const unclaimed = { attr: "claimed", exists: false } as const;

export function toProject(stored: ProjectItem): Project {
  const { project_id, name, filename, status, owner = null, settings } = stored;
  const { shared_with = [], expires_at = null } = settings;
  const path = projectPath(project_id);
  return { ...settings, shared_with, expires_at, project_id, name, filename, status, path, owner };
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

/**
 * Creates a project of the caller's, claims its name and counts it for a user, if any.
 * @throws ApiError `project.name-taken`, `quota.projects`; an id in use is told by `id-taken`, for the caller to read
 *   what is there.
 */
export async function createProject(
  project: Pick<ProjectItem, "project_id" | "name" | "settings">,
  user: string | undefined,
): Promise<ProjectItem | "id-taken"> {
  const { project_id, name } = project;
  const owner = ownerOfNew();
  const stored: ProjectItem = {
    ...project,
    settings: storable("project", project.settings),
    filename: `${name}.gns3`,
    status: "opened",
    created_us: nowUs(),
    listing: "PROJECTS",
    revision: 1,
    owner,
    seen_by: seenBy(owner),
    node_count: 0,
    link_count: 0,
    capture_count: 0,
    stored_bytes: 0,
    counted_for: user,
  };
  const refused = await transact([
    ProjectEntity.build(PutTransaction)
      .item(stored)
      .options({ condition: { attr: "project_id", exists: false } }),
    NameEntity.build(PutTransaction).item({ claimed: name, project_id }).options({ condition: unclaimed }),
    ...(user === undefined ? [] : [countProject(user)]),
    ...showTo(stored, sharersOf(stored)),
  ]);
  if (refused.includes(0)) return "id-taken";
  if (refused.includes(1)) throw failure("project.name-taken", { name });
  if (refused.includes(2))
    throw failure("quota.projects", { limit: quota("project_count"), user: String(user) });
  return stored;
}

/** Undefined when there is none, or none that the caller is to know of; one that is being deleted is told. */
export async function getProject(projectId: string): Promise<ProjectItem | undefined> {
  const { Item } = await ProjectEntity.build(GetItemCommand)
    .key({ project_id: projectId })
    .options({ consistent: true })
    .send();
  return revealed(Item);
}

const sharersOf = ({ settings }: Pick<ProjectItem, "settings">): string[] =>
  (settings.shared_with ?? []).map(({ user }) => user);

/**
 * Stores changed settings, and with them the claim of a changed name, and that new users see it.
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
  const isAsRead = {
    and: [
      { attr: "revision", eq: revision },
      { attr: "deleting", exists: false },
    ],
  } as never;
  const [were, are] = [sharersOf(before), sharersOf(after)];
  const gained = are.filter((user) => !were.includes(user));
  const lost = were.filter((user) => !are.includes(user));
  const renamed = after.name !== before.name;
  if (!renamed && gained.length === 0) {
    const update = ProjectEntity.build(UpdateItemCommand).item(changes).options({ condition: isAsRead });
    if (!(await holds(update))) return STALE;
  } else {
    const refused = await transact([
      ProjectEntity.build(UpdateTransaction).item(changes).options({ condition: isAsRead }),
      ...(renamed ? renaming(before, after.name) : []),
      ...showTo(before, gained),
    ]);
    if (refused.includes(0)) return STALE;
    if (refused.includes(1)) throw failure("project.name-taken", { name: after.name });
  }
  const stored = { ...before, ...changes };
  if (lost.length > 0) await forgetSharers(stored, lost);
  return stored;
}

const renaming = ({ project_id, name }: ProjectItem, claimed: string): Transaction[] => [
  NameEntity.build(PutTransaction).item({ claimed, project_id }).options({ condition: unclaimed }),
  NameEntity.build(DeleteTransaction).key({ claimed: name }),
];

/** Unless somebody has changed the project since: they may have shared it anew. */
async function forgetSharers(project: ProjectItem, users: readonly string[]): Promise<void> {
  const { project_id, revision } = project;
  const isTheLast = ProjectEntity.build(ConditionCheck)
    .key({ project_id })
    .condition({ and: [{ attr: "revision", eq: revision }, same(project)] } as never);
  await transact([isTheLast, ...hideFrom(project, users)]);
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

/** Of a project as it was read: it, and no other that has got its id since. */
const same = ({ created_us }: ProjectItem) => ({ attr: "created_us", eq: created_us }) as const;

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
