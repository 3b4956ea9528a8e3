/** Makes labs from files. */
import { signal } from "@preact/signals";
import { call } from "../api/call.ts";
import type { Project } from "../api/types.ts";
import { notify } from "../ui/notices.tsx";
import { labAddress } from "../ui/route.ts";
import { sizeInWords } from "./words.ts";

/** What became of a file. */
export interface Imported {
  readonly file: string;
  readonly state: "waiting" | "done" | "failed";
  /** The lab's size, or why there is none. */
  readonly words: string;
  readonly lab?: Project;
}

/** The files of the last import, until they are dismissed. */
export const imported = signal<readonly Imported[]>([]);

/** Makes a lab of each file. A file that is refused does not keep the others from being tried. */
export async function importFiles(files: readonly File[]): Promise<void> {
  imported.value = files.map(({ name }) => ({ file: name, state: "waiting", words: "waiting…" }));
  for (const [index, file] of files.entries()) {
    note(index, { words: "importing…" });
    try {
      note(index, { state: "done", ...(await importFile(file)) });
    } catch (error) {
      note(index, { state: "failed", words: error instanceof Error ? error.message : String(error) });
    }
  }
  const [only] = imported.value;
  if (files.length !== 1 || only?.lab === undefined) return;
  imported.value = [];
  notify(`${only.file}: ${only.words}`);
  location.hash = labAddress(only.lab.project_id);
}

/** Makes labs of files that are dropped onto an open lab. The list of labs shows what was done with several. */
export async function importFromLab(files: readonly File[]): Promise<void> {
  await importFiles(files);
  const [only, ...others] = imported.value;
  if (only === undefined) return;
  if (others.length > 0) {
    location.hash = "#/";
    return;
  }
  imported.value = [];
  notify(only.words, true);
}

function note(index: number, outcome: Partial<Imported>): void {
  imported.value = imported.value.map((one, place) => (place === index ? { ...one, ...outcome } : one));
}

async function importFile(file: File): Promise<Pick<Imported, "words" | "lab">> {
  if (/\.gns3(project)?$/.test(file.name)) {
    const name = file.name.slice(0, file.name.lastIndexOf("."));
    const path = `/projects/${crypto.randomUUID()}/import?name=${encodeURIComponent(name)}`;
    const lab = await call<Project>("POST", path, { body: file });
    return { lab, words: "imported with everything in it" };
  }
  if (!/\.ya?ml$/.test(file.name))
    throw new Error(
      `${file.name} is no lab: its name must end in .gns3project, .gns3, .lab.yaml or .clab.yml.`,
    );
  const { buildLab } = await import("./build-lab.ts");
  const { project, nodes, links, hasTests } = await buildLab(
    file.name,
    new Uint8Array(await file.arrayBuffer()),
  );
  return { lab: project, words: `${sizeInWords(nodes, links)}${hasTests ? ", and its tests" : ""}` };
}

/** Attributes of an element onto which files may be dropped. */
export const dropTarget = (onFiles: (files: readonly File[]) => void) => ({
  onDragOver: (event: DragEvent) => event.preventDefault(),
  onDrop: (event: DragEvent) => {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files);
  },
});
