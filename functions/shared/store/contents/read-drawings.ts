/** Reads drawings together with their project; waits for a pending commit, or makes its changes first. */
import type { Access } from "../../edge/access.ts";
import { getItems } from "../base/get-items.ts";
import { DrawingEntity, type DrawingItem, listDrawings } from "../lab/drawing.ts";
import { revealed } from "../project/access.ts";
import { getProject, ProjectEntity, type ProjectItem } from "../project/project.ts";
import { settled } from "./read.ts";

interface InProject {
  readonly project: ProjectItem | undefined;
}

export const readDrawing = (
  access: Access,
  project_id: string,
  drawing_id: string,
): Promise<InProject & { readonly drawing: DrawingItem | undefined }> =>
  settled(async () => {
    const [stored, drawing] = await getItems([
      { entity: ProjectEntity, key: { project_id } },
      { entity: DrawingEntity, key: { project_id, drawing_id } },
    ]);
    const project = revealed(access, stored as ProjectItem | undefined);
    return { project, drawing: project && (drawing as DrawingItem | undefined) };
  });

export const readDrawings = (
  access: Access,
  projectId: string,
): Promise<InProject & { readonly drawings: readonly DrawingItem[] }> =>
  settled(async () => {
    for (;;) {
      const before = await getProject(access, projectId);
      const drawings = before === undefined ? [] : await listDrawings(projectId);
      const project = await getProject(access, projectId);
      // Meanwhile, a restored snapshot may have replaced the drawings.
      if (project?.restored?.run === before?.restored?.run) return { project, drawings };
    }
  });
