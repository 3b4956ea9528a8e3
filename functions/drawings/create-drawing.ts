import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { DRAWING_DEFAULTS } from "../shared/schemas/drawing.ts";
import { nowUs } from "../shared/store/base/table.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { readDrawing } from "../shared/store/contents/read-drawings.ts";
import { type DrawingItem, createDrawing as storeDrawing, toDrawing } from "../shared/store/lab/drawing.ts";
import { refuseOverQuota } from "../shared/store/limits/quota.ts";
import { openedProject } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";
import { refuseOtherThanSvg } from "./svg.ts";

export const createDrawing: Operation<typeof group.routes.createDrawing> = async ({
  access,
  params: { project_id },
  body,
  receipt,
}) => {
  const { drawing_id: given, project_id: _same, ...settings } = body;
  refuseOtherThanSvg(settings.svg);
  const drawing_id = given ?? newId({ receipt }, "drawing");
  const drawing = await untilFresh(async () => {
    const { project, drawing: existing } = await readDrawing(access, project_id, drawing_id);
    const opened = openedProject(project, project_id);
    if (existing) return existing;
    refuseOverQuota(opened, { drawing_count: 1 });
    const own = { project_id, drawing_id, revision: 1, created_us: nowUs() };
    const fresh: DrawingItem = { ...own, ...DRAWING_DEFAULTS, ...settings };
    return (await storeDrawing(fresh)) ? fresh : STALE;
  });
  return { status: 201, body: toDrawing(drawing) };
};
