/**
 * Pictures of drawings in files. Existing programs keep a picture or a long SVG in a file of the project, and the name of the file in the
 * place of the SVG. An import makes an SVG of them, and an export writes the name again.
 */
import { entityTag } from "../shared/edge/http/entity-tag.ts";
import { type Raster, readRaster } from "../shared/edge/image/raster.ts";
import { readSvgText } from "../shared/edge/svg-document.ts";
import { DRAWING_DEFAULTS, SVG_MAX_BYTES } from "../shared/schemas/drawing.ts";
import type { ZipEntry } from "./zip-reader.ts";

const FOLDER = "project-files/images/";

/** Returns the SVG of a drawing; `svg` is the SVG itself, or the name of a file in the archive. */
export function svgOf(svg: string, entries: ReadonlyMap<string, ZipEntry>): string {
  if (svg.includes("<svg") || svg.trimStart().startsWith("<")) return svg;
  if (!NAME.test(svg)) return DRAWING_DEFAULTS.svg;
  const entry = entries.get(FOLDER + svg.slice(Math.max(svg.lastIndexOf("/"), svg.lastIndexOf("\\")) + 1));
  if (entry === undefined) return unshown(svg, "is missing");
  const bytes = entry.read();
  const raster = readRaster(bytes);
  const made = raster?.ok ? svgOfRaster(bytes, raster) : bytes.toString();
  if (Buffer.byteLength(made) > SVG_MAX_BYTES)
    return unshown(svg, "is too large to be shown", raster?.ok ? raster.size : UNKNOWN_SIZE);
  return readSvgText(made).ok ? made : unshown(svg, "is in a format that is not shown", UNKNOWN_SIZE);
}

function svgOfRaster(bytes: Buffer, { size, contentType }: Raster & { ok: true }): string {
  const { width, height } = size;
  const picture = `data:${contentType};base64,${bytes.toString("base64")}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}">` +
    `<image width="${width}" height="${height}" xlink:href="${picture}"/></svg>`
  );
}

/** A name of a file that can stand in an SVG. */
const NAME = /^[^\p{Cc}\p{Cs}\p{Cn}]{1,255}$/u;
const UNKNOWN_SIZE = { width: 300, height: 60 };

/** Returns an SVG that remembers the name; with a size, it shows a frame with the name and the reason. */
function unshown(
  name: string,
  why: string,
  size?: { readonly width: number; readonly height: number },
): string {
  const text = `The picture ${escaped(name)} ${why}`;
  if (size === undefined) return `<svg><desc>${text}</desc></svg>`;
  const { width, height } = size;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><desc>${text}</desc>` +
    `<rect width="${width}" height="${height}" fill="none" stroke="#888888"/>` +
    `<text x="8" y="24" font-family="sans-serif" font-size="12" fill="#888888">${text}</text></svg>`
  );
}

const UNSHOWN =
  /^<svg[^<>]*><desc>The picture ([^<>]+) is (?:missing|too large to be shown|in a format that is not shown)<\/desc>/;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

const EMBEDDED = /^<svg[^<>]*><image[^<>]* xlink:href="data:[^";]*;base64,([^"]*)"\/><\/svg>$/;

interface StoredFile {
  readonly file_path: string;
  readonly etag: string;
}

/** Returns what stands in a project file for an SVG: the name of the file that has it, or the SVG. */
export function pictureNames(files: readonly StoredFile[]): (svg: string) => string {
  const pictures = files.filter(({ file_path }) => file_path.startsWith(FOLDER));
  const names = new Map(pictures.map(({ etag, file_path }) => [etag, file_path.slice(FOLDER.length)]));
  return (svg) => {
    const [, hidden] = UNSHOWN.exec(svg) ?? [];
    if (hidden !== undefined) return unescaped(hidden);
    if (names.size === 0) return svg;
    return names.get(entityTag(Buffer.from(svg))) ?? names.get(tagOfEmbedded(svg) ?? "") ?? svg;
  };
}

/** Returns the tag of the picture in an SVG that an import has made of it. */
function tagOfEmbedded(svg: string): string | undefined {
  const [, base64] = EMBEDDED.exec(svg) ?? [];
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, "base64");
  const raster = readRaster(bytes);
  return raster?.ok && svgOfRaster(bytes, raster) === svg ? entityTag(bytes) : undefined;
}
