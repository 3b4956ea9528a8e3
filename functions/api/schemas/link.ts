/** The link resource (interface document, 2.1) and the requests about it. */
import * as z from "zod";
import { freeFormObject, label, linkType } from "./common.ts";
import { uuid } from "./ids.ts";

const LINK_STYLE_MAX_BYTES = 4096;

/** Settings by filter type, each a list of integers or numeric strings, or text for `bpf`; the engine validates them. */
const filters = z
  .record(z.string(), z.unknown())
  .describe('Packet filter settings by filter type, e.g. {"packet_loss": [10], "delay": [50, 5]}');
const linkStyle = freeFormObject(LINK_STYLE_MAX_BYTES).describe("Line style, kept for the client");

const end = {
  node_id: uuid,
  adapter_number: z.int(),
  port_number: z.int(),
};

export const linkEnd = z.object({ ...end, label }).meta({ id: "LinkEnd" });
export type LinkEnd = z.output<typeof linkEnd>;

export const filterSettings = z.record(z.string(), z.array(z.union([z.int(), z.string()])));
export type FilterSettings = z.output<typeof filterSettings>;

export const link = z
  .object({
    capture_compute_id: z.string().nullable(),
    capture_file_name: z.string().nullable(),
    capture_file_path: z.string().nullable(),
    capturing: z.boolean(),
    filters: filterSettings,
    link_id: uuid,
    link_style: z.record(z.string(), z.unknown()),
    link_type: linkType,
    nodes: z.array(linkEnd),
    project_id: uuid,
    suspend: z.boolean(),
  })
  .meta({ id: "Link" });
export type Link = z.output<typeof link>;

const linkEndInput = z.strictObject({ ...end, label: label.optional() });
export type LinkEndInput = z.output<typeof linkEndInput>;

/** Accepted and ignored, so that a client may send back the object it got. */
const readOnly = {
  capture_compute_id: z.string().nullable().optional(),
  capture_file_name: z.string().nullable().optional(),
  capture_file_path: z.string().nullable().optional(),
  capturing: z.boolean().optional(),
  link_type: linkType.optional(),
  project_id: uuid.optional(),
};

const settings = {
  filters: filters.optional(),
  link_style: linkStyle.optional(),
  suspend: z.boolean().optional(),
};

export const linkCreate = z
  .strictObject({
    ...settings,
    ...readOnly,
    link_id: uuid.optional(),
    nodes: z.array(linkEndInput).max(2, "a link joins at most two ports"),
  })
  .meta({ id: "LinkCreate" });
export type LinkCreate = z.output<typeof linkCreate>;

export const linkUpdate = z
  .strictObject({
    ...settings,
    ...readOnly,
    link_id: uuid.optional(),
    nodes: z.array(linkEndInput).max(2, "a link joins at most two ports").optional(),
  })
  .meta({ id: "LinkUpdate" });
export type LinkUpdate = z.output<typeof linkUpdate>;

/** Interface document, 2.3 and 2.4. */
export const filterDescriptor = z
  .object({
    type: z.string(),
    name: z.string(),
    description: z.string(),
    parameters: z.array(
      z.object({
        name: z.string(),
        type: z.enum(["int", "text"]),
        minimum: z.int().optional(),
        maximum: z.int().optional(),
        unit: z.string().optional(),
      }),
    ),
  })
  .meta({ id: "FilterDescriptor" });
