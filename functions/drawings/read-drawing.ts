/** Reads drawings. */
import type { Access } from "../shared/edge/access.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { readDrawings, readDrawing as readStored } from "../shared/store/contents/read-drawings.ts";
import { type DrawingItem, existingDrawing, toDrawing } from "../shared/store/lab/drawing.ts";
import { existingProject, openedProject } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";

/** @throws ApiError when the project or the drawing does not exist, or the project is closed. */
export async function readDrawing(
  access: Access,
  projectId: string,
  drawingId: string,
): Promise<DrawingItem> {
  const { project, drawing } = await readStored(access, projectId, drawingId);
  openedProject(project, projectId);
  return existingDrawing(drawing, drawingId);
}

export const listDrawings: Operation<typeof group.routes.listDrawings> = async ({
  access,
  params: { project_id },
}) => {
  const { project, drawings } = await readDrawings(access, project_id);
  existingProject(project, project_id);
  return { status: 200, body: drawings.map(toDrawing) };
};

export const getDrawing: Operation<typeof group.routes.getDrawing> = async ({ access, params }) => ({
  status: 200,
  body: toDrawing(await readDrawing(access, params.project_id, params.drawing_id)),
});
