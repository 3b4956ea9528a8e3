/** The link resource (docs/interface.md, section 2.2) and the requests about it. */
import * as z from "zod/mini";
import { freeFormObject, label, linkType } from "./common.ts";
import { uuid } from "./ids.ts";

const LINK_STYLE_MAX_BYTES = 4096;

/** Settings by filter type: lists of integers or numeric strings, or of text for `bpf`. The engine validates them. */
const filters = z
  .record(z.string(), z.unknown())
  .check(
    z.describe(
      'Packet filter settings by filter type, e.g. {"packet_loss": [10], "delay": [50, 5]}. Numbers are integers, percentages ' +
        "included: 10.5 is rejected. `available_filters` lists types and bounds",
    ),
  );

/** The engine validates them. */
export const impairments = z
  .record(z.string(), z.unknown())
  .check(
    z.describe(
      "By direction: `both`, `a_to_b` (from the first end in `nodes` to the second), `b_to_a`; and `carrier`, `schedule`, `preset`",
    ),
    z.meta({ id: "Impairments" }),
  );

export const linkImpairments = z
  .object({ link_id: uuid, impairments })
  .check(z.meta({ id: "LinkImpairments" }));
export type LinkImpairments = z.output<typeof linkImpairments>;

const traffic = z.object({ packets: z.int(), bytes: z.int() });
const carried = z.object({
  in: traffic.check(z.describe("What the sender sent")),
  delivered: traffic.check(z.describe("What reached the other end; with duplicates, it may be more")),
  dropped: traffic.check(z.describe("What filters, impairments, a full queue or the suspension lost")),
});

/** What a link has carried since its creation, in all runs, console calls and replays. */
export const linkCounters = z
  .object({
    link_id: uuid,
    a_to_b: carried.check(z.describe("From the first end in the link's `nodes` to the second")),
    b_to_a: carried,
  })
  .check(z.meta({ id: "LinkCounters" }));
export type LinkCounters = z.output<typeof linkCounters>;

const linkStyle = freeFormObject(LINK_STYLE_MAX_BYTES).check(z.describe("Line style, stored for the client"));

const end = {
  node_id: uuid,
  adapter_number: z.int(),
  port_number: z.int(),
};

export const linkEnd = z.object({ ...end, label }).check(z.meta({ id: "LinkEnd" }));
export type LinkEnd = z.output<typeof linkEnd>;

export const filterSettings = z.record(z.string(), z.array(z.union([z.int(), z.string()])));
export type FilterSettings = z.output<typeof filterSettings>;

export const link = z
  .object({
    capture_compute_id: z.nullable(z.string()),
    capture_file_name: z.nullable(z.string()),
    capture_file_path: z.nullable(z.string()),
    capturing: z.boolean(),
    filters: filterSettings,
    link_id: uuid,
    link_style: z.record(z.string(), z.unknown()),
    link_type: linkType,
    nodes: z.array(linkEnd),
    project_id: uuid,
    suspend: z.boolean(),
  })
  .check(z.meta({ id: "Link" }));
export type Link = z.output<typeof link>;

const linkEndInput = z.strictObject({ ...end, label: z.optional(label) });
export type LinkEndInput = z.output<typeof linkEndInput>;

/** Accepted and ignored, so that a client may send back the object it received. */
const readOnly = {
  capture_compute_id: z.optional(z.nullable(z.string())),
  capture_file_name: z.optional(z.nullable(z.string())),
  capture_file_path: z.optional(z.nullable(z.string())),
  capturing: z.optional(z.boolean()),
  link_type: z.optional(linkType),
  project_id: z.optional(uuid),
};

const settings = {
  filters: z.optional(filters),
  link_style: z.optional(linkStyle),
  suspend: z.optional(z.boolean()),
};

export const linkCreate = z
  .strictObject({
    ...settings,
    ...readOnly,
    link_id: z.optional(uuid),
    nodes: z.array(linkEndInput).check(z.maxLength(2, "a link joins at most two ports")),
  })
  .check(z.meta({ id: "LinkCreate" }));
export type LinkCreate = z.output<typeof linkCreate>;

export const linkUpdate = z
  .strictObject({
    ...settings,
    ...readOnly,
    link_id: z.optional(uuid),
    nodes: z.optional(z.array(linkEndInput).check(z.maxLength(2, "a link joins at most two ports"))),
  })
  .check(z.meta({ id: "LinkUpdate" }));
export type LinkUpdate = z.output<typeof linkUpdate>;

/** See docs/interface.md, section 2.4. */
export const filterDescriptor = z
  .object({
    type: z.string(),
    name: z.string(),
    description: z.string(),
    parameters: z.array(
      z.object({
        name: z.string(),
        type: z.enum(["int", "text"]),
        minimum: z.optional(z.int()),
        maximum: z.optional(z.int()),
        unit: z.optional(z.string()),
      }),
    ),
  })
  .check(z.meta({ id: "FilterDescriptor" }));
