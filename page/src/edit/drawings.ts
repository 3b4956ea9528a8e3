/** Makes and changes drawings. */
import { call } from "../api/call.ts";
import type { Drawing } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { changeParts, fieldEdits } from "./change.ts";
import { noteMade } from "./remove.ts";

type Settings = Partial<Pick<Drawing, "x" | "y" | "z" | "rotation" | "locked" | "svg">>;
/** The new settings of each drawing, by its id. */
type Changes = ReadonlyMap<string, Settings>;

/** Below the layer of devices, which is 1 in GNS3. */
const NEW_LAYER = 0;

export async function addDrawing(
  lab: Lab,
  svg: string,
  { x, y }: { readonly x: number; readonly y: number },
): Promise<void> {
  const body = { svg, x: Math.round(x), y: Math.round(y), z: NEW_LAYER };
  const drawing = await call<Drawing>("POST", `${lab.path}/drawings`, { body });
  lab.putDrawing(drawing);
  const ids = new Set([drawing.drawing_id]);
  lab.selection.value = ids;
  noteMade(lab, "add a drawing", ids);
}

/** @param name of the change, for the undo button. */
export const changeDrawings = (lab: Lab, changes: Changes, name: string): Promise<unknown> =>
  changeParts(lab, fieldEdits("drawing", changes), name);

/** Moves the selected drawings that are not locked. */
export async function moveDrawings(lab: Lab, ids: Iterable<string>, dx: number, dy: number): Promise<void> {
  const places = [...ids].flatMap((id) => {
    const drawing = lab.drawings.peek().get(id);
    return drawing === undefined || drawing.locked
      ? []
      : [[id, { x: Math.round(drawing.x + dx), y: Math.round(drawing.y + dy) }] as const];
  });
  if (places.length === 0) return;
  const name = places.length === 1 ? "move a drawing" : `move ${places.length} drawings`;
  await changeDrawings(lab, new Map(places), name);
}
