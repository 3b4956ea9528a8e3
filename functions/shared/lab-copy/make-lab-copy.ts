/** Makes the copy of a lab from its settings and stored items. */
import type { ProjectSettings } from "../schemas/project.ts";
import type { Contents } from "../store/contents/read-contents.ts";
import { toDrawing } from "../store/lab/drawing.ts";
import { LAB_COPY_VERSION, LAB_SETTINGS, type LabCopy, type LabSettings } from "./lab-copy.ts";

type Parts = Pick<LabCopy, "name" | "clock_us" | "nodes" | "links"> &
  Pick<Contents, "drawings"> & {
    readonly settings: ProjectSettings;
    readonly files: readonly (LabCopy["files"][number] & { readonly project_id?: string })[];
  };

/** @param parts may have more fields than the copy takes. */
export function makeLabCopy({ name, clock_us, settings, nodes, links, drawings, files }: Parts): LabCopy {
  return {
    format: "wirelab-lab",
    version: LAB_COPY_VERSION,
    name,
    settings: Object.fromEntries(LAB_SETTINGS.map((key) => [key, settings[key]])) as LabSettings,
    clock_us,
    nodes: nodes.map(({ node_id, name, status, index, document, state }) => ({
      node_id,
      name,
      index,
      status,
      document,
      state,
    })),
    links: links.map(({ link_id, link_type, document, state }) => ({ link_id, link_type, document, state })),
    drawings: drawings.map((stored) => {
      const { project_id: _project, ...shown } = toDrawing(stored);
      return shown;
    }),
    files: files.map(({ project_id: _project, ...file }) => file),
  };
}
