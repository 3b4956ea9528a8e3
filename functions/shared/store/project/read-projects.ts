/** Reads projects without what is in them. */
import type { Access } from "../../edge/access.ts";
import { readBatches } from "../base/read-batches.ts";
import { revealedOf } from "./access.ts";
import { ProjectEntity, type ProjectItem } from "./project.ts";

/** Reads projects, strongly consistent; omits those that are gone or that the caller may not see. */
export async function readProjects(access: Access, ids: readonly string[]): Promise<ProjectItem[]> {
  const requests = ids.map((project_id) => ({ entity: ProjectEntity, key: { project_id } }));
  const found = (await readBatches(requests)) as (ProjectItem | undefined)[];
  const stored = found.filter((project) => project !== undefined);
  return revealedOf(access, stored);
}
