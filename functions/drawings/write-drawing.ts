/** Changes and deletes drawings. */
import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { DRAWING_ERRORS } from "../shared/edge/own-errors/drawing.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import {
  type DrawingItem,
  deleteDrawing as removeDrawing,
  updateDrawing as storeDrawing,
  toDrawing,
} from "../shared/store/lab/drawing.ts";
import { readDrawing } from "./read-drawing.ts";
import type { group } from "./routes.ts";
import { refuseOtherThanSvg } from "./svg.ts";

export const updateDrawing: Operation<typeof group.routes.updateDrawing> = async ({
  access,
  params,
  body,
}) => {
  const { drawing_id: _id, project_id: _same, ...settings } = body;
  refuseOtherThanSvg(settings.svg);
  const drawing = await untilFresh(async () => {
    const before = await readDrawing(access, params.project_id, params.drawing_id);
    const after: DrawingItem = { ...before, ...settings, revision: before.revision + 1 };
    return (await storeDrawing(before, after)) ? after : STALE;
  });
  return { status: 201, body: toDrawing(drawing) };
};

export const deleteDrawing: Operation<typeof group.routes.deleteDrawing> = async ({ access, params }) => {
  const { project_id, drawing_id } = params;
  await untilFresh(async () => {
    const drawing = await readDrawing(access, project_id, drawing_id);
    if (drawing.locked) throw failureOf(DRAWING_ERRORS, "drawing.locked", { drawing_id });
    return (await removeDrawing(drawing)) || STALE;
  });
  return { status: 204 };
};
