/** Changes of a project's name and settings. */
import { ConditionCheck } from "dynamodb-toolbox/entity/actions/transactCheck";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $remove, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { failure } from "../../edge/errors.ts";
import type { ProjectSettings } from "../../schemas/project.ts";
import { storable } from "../base/document.ts";
import { holds, holdsAll, STALE, transact } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { claimName, ProjectEntity, type ProjectItem, releaseName, same } from "./project.ts";
import { putSettings, sharersOf } from "./project-settings.ts";
import { hideFrom, showTo } from "./seen.ts";
import { fromSettings } from "./stored-settings.ts";
import type { WholeProject } from "./whole-project.ts";

/**
 * Stores changed settings, the claim of a changed name, and the project's new places in users' lists.
 * @returns STALE when another request changed the project meanwhile.
 * @throws ApiError `project.name-taken`
 */
export async function updateProject(
  before: WholeProject,
  after: { readonly name: string; readonly settings: ProjectSettings },
): Promise<WholeProject | typeof STALE> {
  const { project } = before;
  const { project_id } = project;
  const revision = project.revision + 1;
  const following = fromSettings(storable("project", after.settings));
  const changed = settingsChanged(before, after.settings);
  const update = {
    project_id,
    name: after.name,
    revision,
    ...removingMissing(following),
    ...(changed ? { settings_revision: revision, settings: $remove() } : {}),
  };
  const isAsRead = when(ProjectEntity, { revision: project.revision, deleting: undefined });
  const [were, are] = [sharersOf(before.settings), sharersOf(after.settings)];
  const gained = are.filter((user) => !were.includes(user));
  const lost = were.filter((user) => !are.includes(user));
  const renamed = after.name !== project.name;
  if (renamed || changed || gained.length > 0) {
    const refused = await transact({
      project: ProjectEntity.build(UpdateTransaction).item(update).options(isAsRead),
      name: renamed ? claimName({ ...project, name: after.name }) : undefined,
      earlierName: renamed ? releaseName(project) : undefined,
      settings: changed ? putSettings(project_id, revision, after.settings) : undefined,
      lists: showTo(project, gained),
    });
    if (refused.has("project")) return STALE;
    if (refused.has("name")) throw failure("project.name-taken", { name: after.name });
  } else {
    const alone = ProjectEntity.build(UpdateItemCommand).item(update).options(isAsRead);
    if (!(await holds(alone))) return STALE;
  }
  const stored = { ...project, ...following, name: after.name, revision };
  if (lost.length > 0) await forgetSharers(stored, lost);
  return { project: stored, settings: after.settings };
}

/** Does nothing if another request has changed the project since: that request may have shared it again. */
async function forgetSharers(project: ProjectItem, users: readonly string[]): Promise<void> {
  const { project_id, revision } = project;
  const isTheLast = ProjectEntity.build(ConditionCheck)
    .key({ project_id })
    .condition(when(ProjectEntity, { revision, ...same(project) }).condition);
  await holdsAll([isTheLast, ...hideFrom(project, users)]);
}

/** Returns whether the item of settings has to be stored. */
const settingsChanged = ({ project, settings }: WholeProject, after: ProjectSettings): boolean =>
  project.settings !== undefined || JSON.stringify(settings) !== JSON.stringify(after);

/** Marks absent values for removal; an update would otherwise keep the attribute. */
export const removingMissing = <T extends object>(values: T) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === undefined ? $remove() : value]),
  ) as { [K in keyof T]: Exclude<T[K], undefined> };

/**
 * Moves the settings of a project that an earlier release stored to an item of their own, unless the project has changed since it
 * was read.
 */
export async function storeSettingsApart({ project_id, revision, settings }: ProjectItem): Promise<void> {
  if (settings === undefined) return;
  await holdsAll([
    ProjectEntity.build(UpdateTransaction)
      .item({
        project_id,
        ...removingMissing(fromSettings(settings)),
        settings: $remove(),
        settings_revision: revision,
      })
      .options(when(ProjectEntity, { revision }, { attr: "settings", exists: true })),
    putSettings(project_id, revision, { shared_with: [], expires_at: null, ...settings }),
  ]);
}
