/**
 * A whole lab as one document: topology, state of devices and filters, start-up files (which are part of a PC's state), drawings and the
 * settings of the canvas. Symbols are named by their ids, project files by their paths and objects.
 *
 * Snapshots, duplicates and exports consist of it, so a later release must read what this one writes: a change of a field's meaning
 * raises `LAB_COPY_VERSION`, and `readLabCopy` converts what is older.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod/mini";
import { failure } from "../edge/errors.ts";
import { linkType, name } from "../schemas/common.ts";
import { drawing } from "../schemas/drawing.ts";
import { uuid } from "../schemas/ids.ts";
import { filterSettings, linkEnd } from "../schemas/link.ts";
import { nodeStatus, port } from "../schemas/node.ts";
import { project } from "../schemas/project.ts";
import type { LinkItem } from "../store/lab/link.ts";
import type { NodeItem } from "../store/lab/node.ts";

export const LAB_COPY_VERSION = 1;

/** The settings of a project that belong to its lab: not who sees it, when it expires, and what opening and closing does. */
const labSettings = z.pick(z.object(project.shape), {
  drawing_grid_size: true,
  grid_size: true,
  scene_height: true,
  scene_width: true,
  show_grid: true,
  show_interface_labels: true,
  show_layers: true,
  snap_to_grid: true,
  supplier: true,
  variables: true,
  zoom: true,
});
export type LabSettings = z.output<typeof labSettings>;
export const LAB_SETTINGS = Object.keys(labSettings.shape) as (keyof LabSettings)[];

/** Loose, because a release may store more of a node than the one before it. */
const nodeDocument = z.looseObject({
  compute_id: z.string(),
  node_type: z.string(),
  ports: z.array(port),
  properties: z.record(z.string(), z.unknown()),
  symbol: z.string(),
});

/** The saved state of a guest of a Linux node: store/lab/guest-state.ts. */
const copiedGuest = z.object({ object_key: z.string(), size_bytes: z.int() });

const copiedNode = z.object({
  node_id: uuid,
  name,
  status: nodeStatus,
  /** Number among the lab's PCs and routers; it determines their MAC addresses. */
  index: z.optional(z.int().check(z.minimum(0))),
  document: nodeDocument,
  /** State of the device: what a run of the engine has left. */
  state: z.optional(z.unknown()),
  /** Only in copies that keep the states of guests: snapshots. */
  guest: z.optional(copiedGuest),
});

const copiedLink = z.object({
  link_id: uuid,
  link_type: linkType,
  document: z.looseObject({
    nodes: z.array(linkEnd).check(z.maxLength(2)),
    filters: filterSettings,
    link_style: z.record(z.string(), z.unknown()),
    suspend: z.boolean(),
  }),
  /** State of the filters. */
  state: z.optional(z.unknown()),
});

/** A file of the project: its bytes are the object. */
const copiedFile = z.object({
  file_path: z.string(),
  object_key: z.string(),
  content_type: z.string(),
  etag: z.string(),
  size_bytes: z.int(),
  modified_ms: z.number(),
});

const labCopy = z.object({
  format: z.literal("wirelab-lab"),
  version: z.literal(LAB_COPY_VERSION),
  name,
  settings: labSettings,
  /** Lab time of the end of the last run, microseconds since 1970. */
  clock_us: z.optional(z.number()),
  /** In order of creation, like the links and the drawings. */
  nodes: z.array(copiedNode),
  links: z.array(copiedLink),
  drawings: z.array(z.omit(z.object(drawing.shape), { project_id: true })),
  /** By path. */
  files: z.array(copiedFile),
});

type Parsed = z.output<typeof labCopy>;
export type CopiedGuest = z.output<typeof copiedGuest>;
export type CopiedNode = Pick<NodeItem, "node_id" | "name" | "status" | "index" | "document" | "state"> & {
  readonly guest?: CopiedGuest | undefined;
  /** Only in what a restore writes. */
  readonly guest_bytes?: number | undefined;
};
type CopiedLink = Pick<LinkItem, "link_id" | "link_type" | "document" | "state">;

export interface LabCopy extends Omit<Parsed, "nodes" | "links"> {
  readonly nodes: readonly CopiedNode[];
  readonly links: readonly CopiedLink[];
}

const MOST_DETAIL = 200;

/** Returns the document as compressed JSON. */
export const packLab = (copy: LabCopy): Uint8Array => gzipSync(JSON.stringify(copy));

/**
 * @param what names the document in the error.
 * @throws ApiError `store.damaged` when the bytes are not what `packLab` returned.
 */
export function unpackLab(bytes: Uint8Array, what: string): LabCopy {
  try {
    return parseLabCopy(JSON.parse(gunzipSync(bytes).toString()));
  } catch (error) {
    throw failure("store.damaged", { what, detail: String(error).slice(0, MOST_DETAIL) }, { cause: error });
  }
}

/** @throws ZodError when the value is not a copy of a lab, or of a version that this release does not know. */
export const parseLabCopy = (value: unknown): LabCopy => z.parse(labCopy, value) as unknown as LabCopy;
