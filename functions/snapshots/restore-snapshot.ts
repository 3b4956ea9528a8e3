import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { type LabCopy, unpackLab } from "../shared/lab-copy/lab-copy.ts";
import { replaceLab } from "../shared/lab-copy/replace-lab.ts";
import { readObject } from "../shared/store/base/objects.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { readWholeProject } from "../shared/store/contents/read.ts";
import { existingWhole, toProject } from "../shared/store/project/whole-project.ts";
import { getSnapshot, type SnapshotItem, toSnapshot } from "../shared/store/snapshot/snapshot.ts";
import { readSnapshot } from "./list-and-delete.ts";
import type { group } from "./routes.ts";

export const restoreSnapshot: Operation<typeof group.routes.restoreSnapshot> = async ({
  access,
  params: { project_id, snapshot_id },
  receipt,
}) => {
  const body = await untilFresh(async () => {
    const snapshot = await readSnapshot(access, project_id, snapshot_id);
    const copy = await readCopy(snapshot);
    if (copy === undefined) return STALE;
    const whole = existingWhole(await readWholeProject(access, project_id), project_id);
    const settings = await replaceLab(access, whole, copy, toSnapshot(snapshot), receipt);
    return settings ? toProject({ project: { ...whole.project, status: "opened" }, settings }) : STALE;
  });
  return { status: 201, body };
};

/**
 * @returns undefined when another request deleted the snapshot meanwhile.
 * @throws ApiError `store.damaged`
 */
async function readCopy({ project_id, snapshot_id, object_key }: SnapshotItem): Promise<LabCopy | undefined> {
  const what = `snapshot ${snapshot_id}`;
  const bytes = await readObject(object_key);
  if (bytes !== undefined) return unpackLab(bytes, what);
  if ((await getSnapshot(project_id, snapshot_id)) === undefined) return undefined;
  throw failure("store.damaged", { what, detail: `${object_key} is missing from the bucket` });
}
