/** The drawings of an imported lab. */
import { readRaster } from "../shared/edge/image/raster.ts";
import { readSvgText } from "../shared/edge/svg-document.ts";
import { DRAWING_DEFAULTS, drawing as drawingSchema } from "../shared/schemas/drawing.ts";
import { nowUs } from "../shared/store/base/table.ts";
import type { DrawingItem } from "../shared/store/lab/drawing.ts";
import { whole } from "./import-nodes.ts";
import type { FileDrawing } from "./topology-file.ts";
import { refuseImport, type ZipEntry } from "./zip-reader.ts";

/** Existing programs keep long drawings and pictures here, and their name in the place of the SVG. */
const PICTURES = "project-files/images/";

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
      rotation: whole(file.rotation, DRAWING_DEFAULTS.rotation),
      locked: file.locked === true,
      svg,
    };
    const result = drawingSchema.safeParse(item);
    if (!result.success)
      throw refuse(`${result.error.issues[0]!.path.join(".")} ${result.error.issues[0]!.message}`);
    return { ...item, revision: 1, created_us: begin + position };
  });
}

/** Returns the SVG, which may be in a file, or be made of a picture in a file. A file that is missing is an empty drawing. */
function svgOf(svg: string, entries: ReadonlyMap<string, ZipEntry>): string {
  if (svg.includes("<svg") || svg.trimStart().startsWith("<")) return svg;
  const entry = entries.get(PICTURES + svg.slice(Math.max(svg.lastIndexOf("/"), svg.lastIndexOf("\\")) + 1));
  if (entry === undefined) return DRAWING_DEFAULTS.svg;
  const bytes = entry.read();
  const raster = readRaster(bytes);
  if (!raster?.ok) return bytes.toString();
  const { width, height } = raster.size;
  const picture = `data:${raster.contentType};base64,${bytes.toString("base64")}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}">` +
    `<image width="${width}" height="${height}" xlink:href="${picture}"/></svg>`
  );
}
