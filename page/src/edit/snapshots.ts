/** Snapshots of the whole lab. */
import type { Snapshot } from "../../../functions/shared/schemas/snapshot.ts";
import { call } from "../api/call.ts";
import type { Lab } from "../lab/lab.ts";

type SnapshotLab = Pick<Lab, "path" | "read" | "readConditions" | "history">;

/** @returns the newest first. */
export const listSnapshots = async ({ path }: Pick<Lab, "path">): Promise<readonly Snapshot[]> =>
  (await call<Snapshot[]>("GET", `${path}/snapshots`)).toReversed();

export const takeSnapshot = ({ path }: Pick<Lab, "path">, name: string): Promise<Snapshot> =>
  call<Snapshot>("POST", `${path}/snapshots`, { body: { name } });

export const deleteSnapshot = ({ path }: Pick<Lab, "path">, id: string): Promise<void> =>
  call("DELETE", `${path}/snapshots/${id}`);

async function putBack(lab: SnapshotLab, id: string): Promise<void> {
  await call("POST", `${lab.path}/snapshots/${id}/restore`, { body: {} });
  await lab.read();
  await lab.readConditions();
}

/** Puts the lab back to a snapshot. Another snapshot keeps the lab as it was, so that this can be undone. */
export async function restoreSnapshot(lab: SnapshotLab, { snapshot_id, name }: Snapshot): Promise<void> {
  const time = new Date().toISOString().slice(0, 19).replace("T", " ");
  const before = await takeSnapshot(lab, `Before ${name}, ${time}`);
  await putBack(lab, snapshot_id);
  lab.history.note({
    name: `restore the snapshot ${name}`,
    undo: () => putBack(lab, before.snapshot_id),
    redo: () => putBack(lab, snapshot_id),
  });
}
