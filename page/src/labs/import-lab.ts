/** Makes labs from files. */
import { call } from "../api/call.ts";
import type { Project } from "../api/types.ts";
import { notify } from "../ui/notices.tsx";
import { labAddress } from "../ui/route.ts";

/** @throws ApiProblem when the service rejects a file. */
export async function importFiles(files: readonly File[]): Promise<void> {
  const labs: Project[] = [];
  for (const file of files) labs.push(await importFile(file));
  const [only] = labs;
  if (labs.length === 1 && only) location.hash = labAddress(only.project_id);
  else notify(`${labs.length} labs were imported.`);
}

async function importFile(file: File): Promise<Project> {
  if (/\.gns3(project)?$/.test(file.name)) {
    const name = file.name.slice(0, file.name.lastIndexOf("."));
    const path = `/projects/${crypto.randomUUID()}/import?name=${encodeURIComponent(name)}`;
    return call<Project>("POST", path, { body: file });
  }
  if (!/\.ya?ml$/.test(file.name))
    throw new Error(
      `${file.name} is no lab: its name must end in .gns3project, .gns3, .lab.yaml or .clab.yml.`,
    );
  const { buildLab } = await import("./build-lab.ts");
  return buildLab(file.name, new Uint8Array(await file.arrayBuffer()));
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
