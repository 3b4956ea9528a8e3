/** Snapshots of the lab: take, restore, delete. */
import { useEffect, useState } from "preact/hooks";
import type { Snapshot } from "../../../functions/shared/schemas/snapshot.ts";
import { deleteSnapshot, listSnapshots, restoreSnapshot, takeSnapshot } from "../edit/snapshots.ts";
import type { Lab } from "../lab/lab.ts";
import { Modal } from "../ui/modal.tsx";
import { closeDialog } from "../ui/open-dialog.ts";

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export const SnapshotsDialog = ({ lab }: { readonly lab: Lab }) => {
  const [snapshots, setSnapshots] = useState<readonly Snapshot[] | null>(null);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [name, setName] = useState("");
  const act = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setProblem("");
    try {
      await action();
      setSnapshots(await listSnapshots(lab));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  useEffect(() => void act(async () => {}), []);
  const restore = (snapshot: Snapshot) =>
    act(async () => {
      await lab.history.follow(restoreSnapshot(lab, snapshot));
      closeDialog();
    });
  return (
    <Modal label="Snapshots" onClose={closeDialog}>
      <h2>Snapshots</h2>
      <p class="faint">
        A snapshot keeps the whole lab with its state. Before a lab is put back, another one keeps it as it
        is.
      </p>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          void act(async () => {
            await takeSnapshot(lab, name.trim());
            setName("");
          });
        }}
      >
        <input
          aria-label="Name of the snapshot"
          placeholder="Name"
          required
          maxLength={255}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={isBusy}>
          Take
        </button>
      </form>
      {problem !== "" && (
        <p class="danger" role="alert">
          {problem}
        </p>
      )}
      <div aria-busy={isBusy}>
        {snapshots === null && problem === "" && <p class="faint">Reading the snapshots…</p>}
        {snapshots?.length === 0 && <p class="faint">There is no snapshot yet.</p>}
        <ul class="parts">
          {snapshots?.map((snapshot) => (
            <li key={snapshot.snapshot_id}>
              <span class="part one-line">
                {snapshot.name} <span class="faint">{TIME.format(new Date(snapshot.created_at * 1000))}</span>
              </span>
              <button
                type="button"
                disabled={isBusy}
                aria-label={`Restore ${snapshot.name}`}
                onClick={() => void restore(snapshot)}
              >
                Restore
              </button>
              <button
                type="button"
                class="quiet danger"
                disabled={isBusy}
                aria-label={`Delete ${snapshot.name}`}
                onClick={() => void act(() => deleteSnapshot(lab, snapshot.snapshot_id))}
              >
                Delete
              </button>
            </li>
          ))}
        </ul>
      </div>
      <p class="buttons">
        <button type="button" onClick={closeDialog}>
          Close
        </button>
      </p>
    </Modal>
  );
};
