/** The drawings of an imported lab. */
import { readSvgText } from "../shared/edge/svg-document.ts";
import { DRAWING_DEFAULTS, drawing as drawingSchema } from "../shared/schemas/drawing.ts";
import { nowUs } from "../shared/store/base/table.ts";
import type { DrawingItem } from "../shared/store/lab/drawing.ts";
import { turn, whole } from "./import-nodes.ts";
import { svgOf } from "./pictures.ts";
import type { FileDrawing } from "./topology-file.ts";
import { refuseImport, type ZipEntry } from "./zip-reader.ts";

/** @throws ApiError `project.import-refused` for a drawing that is no SVG document or too large. */
export function makeDrawings(
  files: readonly FileDrawing[],
  entries: ReadonlyMap<string, ZipEntry>,
  idOf: (oldId: string) => string,
  projectId: string,
): DrawingItem[] {
  const begin = nowUs();
  return files.map((file, position) => {
    const refuse = (detail: string): Error => refuseImport(`drawing ${position + 1}: ${detail}`);
    const svg = svgOf(file.svg, entries);
    const document = readSvgText(svg);
    if (!document.ok) throw refuse(`expected an SVG document, found ${document.found}`);
    const own = typeof file.drawing_id === "string" ? file.drawing_id.toLowerCase() : `drawing ${position}`;
    const item = {
      project_id: projectId,
      drawing_id: idOf(own),
      x: whole(file.x, DRAWING_DEFAULTS.x),
      y: whole(file.y, DRAWING_DEFAULTS.y),
      z: whole(file.z, DRAWING_DEFAULTS.z),
      rotation: turn(file.rotation),
      locked: file.locked === true,
      svg,
    };
    const result = drawingSchema.safeParse(item);
    if (!result.success)
      throw refuse(`${result.error.issues[0]!.path.join(".")} ${result.error.issues[0]!.message}`);
    return { ...item, revision: 1, created_us: begin + position };
  });
}
