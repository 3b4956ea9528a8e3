/**
 * Makes a closed project of a copy of a lab, at once: the transaction that creates the project names a large commit with all that is in
 * it (store/commit/commit.ts), which this request, or the next reader of the project, writes out.
 */
import type { Access } from "../edge/access.ts";
import { ApiError } from "../edge/errors.ts";
import { logger } from "../edge/log.ts";
import type { ProjectSettings } from "../schemas/project.ts";
import { keepIfWritten } from "../store/base/objects.ts";
import { nowUs } from "../store/base/table.ts";
import { writeCommit } from "../store/commit/commit-object.ts";
import { settlePending } from "../store/commit/pending.ts";
import type { Usage } from "../store/limits/quota.ts";
import { createProject } from "../store/project/create-project.ts";
import type { WholeProject } from "../store/project/whole-project.ts";
import type { SnapshotItem } from "../store/snapshot/snapshot.ts";
import { labItems, snapshotItems } from "./copied-items.ts";
import type { LabCopy } from "./lab-copy.ts";

interface NewProject {
  readonly project_id: string;
  /** Names to try, in this order. */
  readonly names: Iterable<string>;
  readonly settings: ProjectSettings;
}

/**
 * @param usage what the project has then.
 * @returns `id-taken` when a project has the id.
 * @throws ApiError `project.name-taken` when all names are taken, `quota.projects`
 */
export async function createLab(
  access: Access,
  { project_id, names, settings }: NewProject,
  copy: LabCopy,
  snapshots: readonly SnapshotItem[],
  usage: Usage,
): Promise<WholeProject | "id-taken"> {
  const place = { project_id, attempt: crypto.randomUUID() };
  const changes = [...labItems(project_id, copy, nowUs()), ...snapshots.flatMap(snapshotItems)];
  const key = await writeCommit(place, { run: 1, changes });
  const content = {
    ...usage,
    status: "closed",
    run: 1,
    clock_us: copy.clock_us,
    pending: place.attempt,
  } as const;
  let made: WholeProject | "id-taken" = "id-taken";
  await keepIfWritten(
    [key],
    (async () => {
      made = await firstFree(names, (name) => createProject(access, { project_id, name }, settings, content));
      return made !== "id-taken";
    })(),
  );
  if (made === "id-taken") return made;
  const { project } = made as WholeProject;
  // The project is created: if this fails, its next reader writes its content out.
  await settlePending(project).catch((error: unknown) => {
    logger.warn("A copied lab is not written out yet", { ...place, error: error as Error });
  });
  return made;
}

/** Calls `create` with one name after the other until one is free. */
async function firstFree<T>(names: Iterable<string>, create: (name: string) => Promise<T>): Promise<T> {
  let refusal: unknown;
  for (const name of names) {
    try {
      return await create(name);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "project.name-taken")) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
