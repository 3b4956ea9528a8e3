/** Pieces that several resources share. */
import * as z from "zod";

/** Long enough for any name a person gives, short enough for a key attribute. */
export const name = z.string().min(1, "is empty").max(255);

/** Text beside a node or a link end on the canvas; stored and returned as given. */
export const label = z
  .strictObject({
    text: z.string().max(1024),
    style: z.string().max(1024).nullable().optional(),
    x: z.int().nullable().optional(),
    y: z.int().optional(),
    rotation: z.int().min(-359).max(360).optional(),
  })
  .meta({ id: "Label" });
export type Label = z.output<typeof label>;

/**
 * A free-form JSON object kept for the client. `maxBytes` bounds its JSON text: an item of the table holds 400 KB.
 */
export const freeFormObject = (maxBytes: number) =>
  z
    .record(z.string(), z.unknown())
    .refine(
      (value) => new TextEncoder().encode(JSON.stringify(value)).length <= maxBytes,
      `is larger than ${maxBytes} bytes of JSON`,
    );

export const linkType = z.enum(["ethernet", "serial"]);
export type LinkType = z.output<typeof linkType>;

export const dataLinkType = z.enum([
  "DLT_ATM_RFC1483",
  "DLT_EN10MB",
  "DLT_FRELAY",
  "DLT_C_HDLC",
  "DLT_PPP_SERIAL",
]);
export type DataLinkType = z.output<typeof dataLinkType>;

/** The answer to every failed request. */
export const errorBody = z
  .object({
    message: z.string(),
    status: z.int(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    request_id: z.string().optional(),
  })
  .meta({ id: "Error" });
