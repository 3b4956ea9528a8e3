/** What became of each file of an import. */
import { labAddress } from "../ui/route.ts";
import { imported } from "./import-lab.ts";

const MARKS = { waiting: "…", done: "✓", failed: "✗" } as const;
const STATES = { waiting: "", done: "imported", failed: "not imported" } as const;

export const ImportReport = () => {
  const files = imported.value;
  if (files.length === 0) return null;
  return (
    <section class="import-report" aria-label="Imported files">
      <ul aria-live="polite">
        {files.map(({ file, state, words, lab }, index) => (
          <li key={index} class={state}>
            <span aria-hidden="true">{MARKS[state]}</span> <span class="hidden">{STATES[state]} </span>
            {lab ? <a href={labAddress(lab.project_id)}>{file}</a> : <strong>{file}</strong>}: {words}
          </li>
        ))}
      </ul>
      {files.every(({ state }) => state !== "waiting") && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            imported.value = [];
          }}
        >
          Dismiss
        </button>
      )}
    </section>
  );
};
