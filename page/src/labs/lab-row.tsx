/** One lab of the list. */
import { useState } from "preact/hooks";
import { call, send } from "../api/call.ts";
import type { Project } from "../api/types.ts";
import { attempt } from "../ui/notices.tsx";
import { labAddress } from "../ui/route.ts";
import { saveFile } from "../ui/save-file.ts";

async function duplicate({ project_id, name }: Project): Promise<void> {
  await call("POST", `/projects/${project_id}/duplicate`, {
    body: { name: `${name} copy ${Date.now().toString(36).slice(-4)}` },
  });
}

async function download({ project_id, name }: Project): Promise<void> {
  const response = await send("GET", `/projects/${project_id}/export`);
  saveFile(`${name}.gns3project`, await response.blob());
}

export const LabRow = ({ lab }: { readonly lab: Project }) => {
  const [isAsking, setAsking] = useState(false);
  const { project_id, name, owner } = lab;
  return (
    <li class="lab-row">
      <a href={labAddress(project_id)}>{name}</a>
      <span class="faint">{owner ?? ""}</span>
      {isAsking ? (
        <span class="buttons">
          <span>Delete the lab with everything in it?</span>
          <button
            type="button"
            class="danger"
            onClick={() => attempt(() => call("DELETE", `/projects/${project_id}`))}
          >
            Delete
          </button>
          <button type="button" onClick={() => setAsking(false)}>
            Keep
          </button>
        </span>
      ) : (
        <span class="buttons">
          <button
            type="button"
            class="quiet"
            aria-label={`Duplicate ${name}`}
            onClick={() => attempt(() => duplicate(lab))}
          >
            Duplicate
          </button>
          <button
            type="button"
            class="quiet"
            aria-label={`Export ${name}`}
            onClick={() => attempt(() => download(lab))}
          >
            Export
          </button>
          <button type="button" class="quiet" aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
            Delete
          </button>
        </span>
      )}
    </li>
  );
};
