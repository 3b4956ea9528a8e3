/** Lists and deletes snapshots, also those of a closed project. */
import type { Access } from "../shared/edge/access.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { discardObjects } from "../shared/store/base/objects.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { existingProject } from "../shared/store/project/project.ts";
import {
  existingSnapshot,
  forgetSnapshot,
  getSnapshot,
  listSnapshots as listStored,
  objectsOf,
  type SnapshotItem,
  toSnapshot,
} from "../shared/store/snapshot/snapshot.ts";
import type { group } from "./routes.ts";

export const listSnapshots: Operation<typeof group.routes.listSnapshots> = async ({
  access,
  params: { project_id },
}) => {
  const { project } = await readItems(access, project_id, {});
  existingProject(project, project_id);
  return { status: 200, body: (await listStored(project_id)).map(toSnapshot) };
};

/** The project is read first, because it decides whether the caller may see the snapshot. */
export async function readSnapshot(
  access: Access,
  projectId: string,
  snapshotId: string,
): Promise<SnapshotItem> {
  const { project } = await readItems(access, projectId, {});
  existingProject(project, projectId);
  return existingSnapshot(await getSnapshot(projectId, snapshotId), snapshotId);
}

export const deleteSnapshot: Operation<typeof group.routes.deleteSnapshot> = async ({ access, params }) => {
  const gone = await untilFresh(async () => {
    const snapshot = await readSnapshot(access, params.project_id, params.snapshot_id);
    return (await forgetSnapshot(snapshot)) ? snapshot : STALE;
  });
  await discardObjects(objectsOf(gone));
  return { status: 204 };
};
