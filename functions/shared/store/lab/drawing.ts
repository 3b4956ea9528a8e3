/** Drawings. */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { failureOf } from "../../edge/errors.ts";
import { DRAWING_ERRORS } from "../../edge/own-errors/drawing.ts";
import type { Drawing } from "../../schemas/drawing.ts";
import { projectKey, table } from "../base/table.ts";
import { holds, holdsAll } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { addWhileOpened, discount } from "../project/project.ts";

export const DrawingEntity = new Entity({
  name: "drawing",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    drawing_id: string().key(),
    x: number(),
    y: number(),
    z: number(),
    rotation: number(),
    locked: boolean(),
    svg: string(),
    /** Counts changes of all other attributes. */
    revision: number(),
    created_us: number(),
  }),
  computeKey: ({ project_id, drawing_id }) => ({ pk: projectKey(project_id), sk: `DRAWING#${drawing_id}` }),
});

export type DrawingItem = FormattedItem<typeof DrawingEntity>;

export const toDrawing = ({ revision: _revision, created_us: _created, ...shown }: DrawingItem): Drawing =>
  shown;

/** @throws ApiError `drawing.not-found` */
export function existingDrawing(stored: DrawingItem | undefined, drawingId: string): DrawingItem {
  if (stored === undefined) throw failureOf(DRAWING_ERRORS, "drawing.not-found", { drawing_id: drawingId });
  return stored;
}

/** @returns false when the drawing exists, or the project accepts no changes or no more drawings. */
export const createDrawing = (drawing: DrawingItem): Promise<boolean> =>
  holdsAll([
    addWhileOpened(drawing.project_id, { drawing_count: 1 }),
    DrawingEntity.build(PutTransaction)
      .item(drawing)
      .options(when(DrawingEntity, { drawing_id: undefined })),
  ]);

/** @returns false when another request changed the drawing since it was read. */
export const updateDrawing = (before: DrawingItem, after: DrawingItem): Promise<boolean> =>
  holds(
    DrawingEntity.build(UpdateItemCommand)
      .item(after)
      .options(when(DrawingEntity, { revision: before.revision })),
  );

/** @returns false when another request changed the drawing since it was read. */
export const deleteDrawing = ({ project_id, drawing_id, revision }: DrawingItem): Promise<boolean> =>
  holdsAll([
    discount(project_id, { drawing_count: 1 }),
    DrawingEntity.build(DeleteTransaction)
      .key({ project_id, drawing_id })
      .options(when(DrawingEntity, { revision })),
  ]);

/** Lists the drawings of a project, oldest first, strongly consistent. */
export async function listDrawings(projectId: string): Promise<DrawingItem[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { beginsWith: "DRAWING#" } })
    .entities(DrawingEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return (Items ?? []).sort((one, other) => one.created_us - other.created_us);
}
