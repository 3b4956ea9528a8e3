/** Identifies an uploaded file by its content alone; ignores its name and the request's headers. */
import { invalidRequest } from "../errors.ts";
import { readSvgDocument } from "../svg-document.ts";
import { readRaster } from "./raster.ts";
import { type Size, svgSize } from "./svg-size.ts";

export const SVG_TYPE = "image/svg+xml";

export interface RecognisedImage {
  readonly contentType: string;
  /** Undefined for an SVG document that does not state its size. */
  readonly size: Size | undefined;
}

/** @throws ApiError 400 for anything but an SVG, PNG, JPEG, GIF or WebP image. */
export function recogniseImage(bytes: Uint8Array): RecognisedImage {
  if (bytes.length === 0) throw notAnImage("an empty body");
  const raster = readRaster(bytes);
  if (raster) {
    if (!raster.ok) throw notAnImage(raster.found);
    return raster;
  }
  const svg = readSvgDocument(bytes);
  if (!svg.ok) throw notAnImage(svg.found);
  return { contentType: SVG_TYPE, size: svgSize(svg.attributes) };
}

const notAnImage = (found: string) =>
  invalidRequest([
    { path: "body", message: `expected an SVG, PNG, JPEG, GIF or WebP image, found ${found}` },
  ]);
