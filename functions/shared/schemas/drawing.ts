/** Drawings on the canvas of a project: text, shapes and pictures, each an SVG document. */
import * as z from "zod/mini";
import { optionalFields } from "./common.ts";
import { uuid } from "./ids.ts";

/** An item of the table holds 400 KB. */
export const SVG_MAX_BYTES = 262_144;

const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

const svg = z.string().check(
  z.refine((text) => utf8Length(text) <= SVG_MAX_BYTES, `is larger than ${SVG_MAX_BYTES} bytes`),
  z.describe(`An SVG document of at most ${SVG_MAX_BYTES} bytes; stored and returned as given`),
);

const settings = {
  x: z.int(),
  y: z.int(),
  z: z.int(),
  rotation: z.int().check(z.minimum(-359), z.maximum(360)),
  locked: z.boolean(),
  svg,
};

export const drawing = z
  .object({ drawing_id: uuid, project_id: uuid, ...settings })
  .check(z.meta({ id: "Drawing" }));
export type Drawing = z.output<typeof drawing>;
export type DrawingSettings = Pick<Drawing, keyof typeof settings>;

export const DRAWING_DEFAULTS: DrawingSettings = {
  x: 0,
  y: 0,
  z: 2,
  rotation: 0,
  locked: false,
  svg: "<svg></svg>",
};

const optionalSettings = optionalFields(settings);

/** `project_id` is accepted and ignored, because a client may send back the whole object that it received. */
export const drawingCreate = z
  .strictObject({
    ...optionalSettings,
    drawing_id: z.optional(z.nullable(uuid)),
    project_id: z.optional(uuid),
  })
  .check(z.meta({ id: "DrawingCreate" }));

export const drawingUpdate = z
  .strictObject({ ...optionalSettings, drawing_id: z.optional(uuid), project_id: z.optional(uuid) })
  .check(z.meta({ id: "DrawingUpdate" }));
