/** One lab of the list. */
import { useRef, useState } from "preact/hooks";
import { call, send } from "../api/call.ts";
import type { Project } from "../api/types.ts";
import { attempt } from "../ui/notices.tsx";
import { labAddress } from "../ui/route.ts";
import { saveFile } from "../ui/save-file.ts";
import { imported } from "./import-lab.ts";
import { RenameForm } from "./rename-form.tsx";
import { SketchPicture } from "./sketch-picture.tsx";
import { useFacts } from "./use-facts.ts";
import { sizeInWords } from "./words.ts";

async function duplicate({ project_id, name }: Project): Promise<void> {
  await call("POST", `/projects/${project_id}/duplicate`, {
    body: { name: `${name} copy ${Date.now().toString(36).slice(-4)}` },
  });
}

async function download({ project_id, name }: Project): Promise<void> {
  const response = await send("GET", `/projects/${project_id}/export`);
  saveFile(`${name}.gns3project`, await response.blob());
}

/** `2026-11-28 14:05 UTC` */
const minute = (date: string): string => `${new Date(date).toISOString().slice(0, 16).replace("T", " ")} UTC`;

export const LabRow = ({ lab }: { readonly lab: Project }) => {
  const [mode, setMode] = useState<"shown" | "renamed" | "deleted">("shown");
  const row = useRef<HTMLLIElement>(null);
  const menu = useRef<HTMLButtonElement>(null);
  const isImported = imported.value.some((file) => file.lab?.project_id === lab.project_id);
  const facts = useFacts(lab.project_id, row, isImported);
  const { project_id, name, owner, status, expires_at } = lab;
  const words = [
    facts && sizeInWords(facts.nodes, facts.links),
    facts?.started !== undefined && facts.nodes > 0 && `${facts.started} started`,
    status === "opened" ? "open" : "closed",
    owner !== null && `by ${owner}`,
    expires_at !== null && `deleted after ${minute(expires_at)}`,
  ].filter((text) => typeof text === "string");
  const endRenaming = () => {
    setMode("shown");
    menu.current?.focus();
  };
  return (
    <li class="lab-row" ref={row}>
      <SketchPicture sketch={facts?.sketch ?? null} />
      <span class="lab-words">
        {mode === "renamed" ? (
          <RenameForm lab={lab} onEnd={endRenaming} />
        ) : (
          <a href={labAddress(project_id)}>{name}</a>
        )}
        <span class="faint">{words.join(" · ")}</span>
      </span>
      {mode === "deleted" ? (
        <span class="buttons">
          <span>Delete the lab with everything in it?</span>
          <button
            type="button"
            class="danger"
            onClick={() => attempt(() => call("DELETE", `/projects/${project_id}`))}
          >
            Delete
          </button>
          <button type="button" onClick={() => setMode("shown")}>
            Keep
          </button>
        </span>
      ) : (
        <span class="buttons">
          <button
            ref={menu}
            type="button"
            class="quiet"
            aria-label={`Rename ${name}`}
            onClick={() => setMode("renamed")}
          >
            Rename
          </button>
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
          <button
            type="button"
            class="quiet"
            aria-label={`Delete ${name}`}
            onClick={() => setMode("deleted")}
          >
            Delete
          </button>
        </span>
      )}
    </li>
  );
};
