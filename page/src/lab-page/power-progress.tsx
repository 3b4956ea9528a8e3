/** How far the nodes of a large lab have been switched. */
import { useEffect } from "preact/hooks";
import { cancelBatches, progress } from "../edit/power.ts";

const DOING = { start: "Starting", stop: "Stopping", suspend: "Suspending", reload: "Reloading" } as const;

export const PowerProgress = () => {
  // Another lab may be opened next.
  useEffect(() => cancelBatches, []);
  if (progress.value === null) return null;
  const { action, done, total, isCancelled } = progress.value;
  const words = `${DOING[action]} ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  return (
    <span class="group power-progress">
      <span role="status">{isCancelled ? `${words}, ending…` : `${words}…`}</span>
      <progress max={total} value={done} aria-label={words} />
      <button type="button" disabled={isCancelled} onClick={cancelBatches}>
        Cancel
      </button>
    </span>
  );
};
