/**
 * The file `project.gns3` of an archive, in revision 5 to 9 of the format. Only what is needed to distinguish the parts is checked here;
 * their values are checked where they are used, so that one message names one part.
 */
import * as z from "zod/mini";
import { REVISION } from "./project-file.ts";
import { refuseImport } from "./zip-reader.ts";

const OLDEST_REVISION = 5;

const part = z.record(z.string(), z.unknown());

const fileNode = z.looseObject({ name: z.string(), node_type: z.string(), node_id: z.string() });
const fileLink = z.looseObject({
  nodes: z.array(
    z.looseObject({
      node_id: z.string(),
      adapter_number: z.int(),
      port_number: z.int(),
      label: z.optional(z.unknown()),
    }),
  ),
});
const fileDrawing = z.looseObject({ svg: z.string() });

const topologyFile = z.looseObject({
  name: z.string(),
  project_id: z.optional(z.nullable(z.string())),
  topology: z.looseObject({
    nodes: z.nullish(z.array(fileNode)),
    links: z.nullish(z.array(fileLink)),
    drawings: z.nullish(z.array(fileDrawing)),
  }),
});

export type FileNode = z.output<typeof fileNode>;
export type FileLink = z.output<typeof fileLink>;
export type FileDrawing = z.output<typeof fileDrawing>;

export interface TopologyFile {
  readonly name: string;
  readonly project_id: string | undefined;
  /** The fields of the project beside these. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly nodes: readonly FileNode[];
  readonly links: readonly FileLink[];
  readonly drawings: readonly FileDrawing[];
}

/** @throws ApiError `project.import-refused` */
export function readTopologyFile(bytes: Uint8Array): TopologyFile {
  const given = parseJson(bytes);
  refuseRevision(given);
  const result = topologyFile.safeParse(given);
  if (!result.success) {
    const [{ path, message }] = result.error.issues as [z.core.$ZodIssue];
    throw corrupted(`${path.join(".")}: ${message}`);
  }
  const { name, project_id, topology, ...settings } = result.data;
  const { nodes, links, drawings } = topology;
  const parts = { nodes: nodes ?? [], links: links ?? [], drawings: drawings ?? [] };
  return { name, project_id: project_id?.toLowerCase(), settings, ...parts };
}

function parseJson(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw corrupted("not JSON");
  }
  const result = part.safeParse(given);
  if (!result.success) throw corrupted("not an object");
  return result.data;
}

/** A file without a revision is of GNS3 1, unless it has nothing that differs. */
function refuseRevision({ revision, topology }: Readonly<Record<string, unknown>>): void {
  if (revision === undefined) {
    const { nodes = [] } = (topology ?? {}) as { nodes?: unknown };
    if (Array.isArray(nodes) && nodes.length === 0) return;
  }
  if (typeof revision === "number" && revision >= OLDEST_REVISION && revision <= REVISION) return;
  const found = revision === undefined ? "has no revision" : `is of revision ${JSON.stringify(revision)}`;
  throw refuseImport(
    `the project.gns3 file ${found}; revisions ${OLDEST_REVISION} to ${REVISION} are read: open and save the project in GNS3 2.2`,
  );
}

const corrupted = (detail: string): Error => refuseImport(`the project.gns3 file is corrupted (${detail})`);
