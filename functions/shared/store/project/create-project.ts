/** Creation of a project. */
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import type { Access } from "../../edge/access.ts";
import { failure } from "../../edge/errors.ts";
import type { ProjectSettings } from "../../schemas/project.ts";
import { storable } from "../base/document.ts";
import { nowUs } from "../base/table.ts";
import { transact } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { quota, type Usage } from "../limits/quota.ts";
import { countProject } from "../limits/user-usage.ts";
import { ownerOfNew } from "./access.ts";
import { claimName, ProjectEntity, type ProjectItem } from "./project.ts";
import { putSettings, sharersOf } from "./project-settings.ts";
import { seenBy, showTo } from "./seen.ts";
import { fromSettings } from "./stored-settings.ts";
import type { WholeProject } from "./whole-project.ts";

/** What a project has from its creation, and the commit that makes it: lab-copy/create-lab.ts. */
type Content = Usage & Partial<Pick<ProjectItem, "status" | "run" | "clock_us" | "pending">>;

/**
 * Creates a project for the caller, claims its name and counts it for the caller, if the caller has a name.
 * @param content of a project that is not empty.
 * @returns `id-taken` when a project has the id; the caller then reads that project.
 * @throws ApiError `project.name-taken`, `quota.projects`
 */
export async function createProject(
  access: Access,
  { project_id, name }: Pick<ProjectItem, "project_id" | "name">,
  settings: ProjectSettings,
  content: Content = {},
): Promise<WholeProject | "id-taken"> {
  storable("project", settings);
  const owner = ownerOfNew(access);
  const stored: ProjectItem = {
    project_id,
    name,
    ...fromSettings(settings),
    settings_revision: 1,
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
    file_count: 0,
    stored_bytes: 0,
    counted_for: owner,
    ...content,
  };
  const refused = await transact({
    project: ProjectEntity.build(PutTransaction)
      .item(stored)
      .options(when(ProjectEntity, { project_id: undefined })),
    name: claimName(stored),
    count: owner === undefined ? undefined : countProject(owner),
    settings: putSettings(project_id, 1, settings),
    lists: showTo(stored, sharersOf(settings)),
  });
  if (refused.has("project")) return "id-taken";
  if (refused.has("name")) throw failure("project.name-taken", { name });
  if (refused.has("count"))
    throw failure("quota.projects", { limit: quota("quota_projects"), user: String(owner) });
  return { project: stored, settings };
}
