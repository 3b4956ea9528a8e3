/** The snapshots of an imported archive. Each is an archive itself, and is checked like one. */
import { MAX_UNPACKED_BYTES } from "@wirelab/lab/zip/read-zip";
import * as z from "zod/mini";
import { ApiError } from "../shared/edge/errors.ts";
import { packLab } from "../shared/lab-copy/lab-copy.ts";
import { makeLabCopy } from "../shared/lab-copy/make-lab-copy.ts";
import { name as nameSchema } from "../shared/schemas/common.ts";
import type { ProjectSettings } from "../shared/schemas/project.ts";
import { nowUs } from "../shared/store/base/table.ts";
import type { ImportedLab, ImportedSnapshot } from "../shared/store/contents/import-project.ts";
import { refuseOverQuota } from "../shared/store/limits/quota.ts";
import { newSnapshotKey } from "../shared/store/snapshot/snapshot-objects.ts";
import { SNAPSHOT_FOLDER, SNAPSHOT_LIST } from "./names.ts";
import { readZip, refuseImport, unpackedBytesOf, type ZipEntry } from "./zip-reader.ts";

type Entries = ReadonlyMap<string, ZipEntry>;

/** A lab as an archive has it. */
export interface ArchivedLab {
  readonly name: string;
  readonly settings: ProjectSettings;
  readonly lab: ImportedLab;
}

const FILE = /^([^/]+)\.(?:gns3snapshot|gns3project)$/;
/** `<name>_<ddmmyy>_<hhmmss>`, as programs without a list write it. */
const WITH_TIME = /^(.+)_(\d\d)(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/;
const LATEST_S = 4_102_444_800;

const listSchema = z.array(
  z.object({
    snapshot_id: z.string(),
    name: z.string(),
    filename: z.string(),
    created_at: z.int().check(z.minimum(0), z.maximum(LATEST_S)),
  }),
);
type Listed = z.output<typeof listSchema>[number];

interface Known {
  readonly name: string;
  readonly snapshot_id?: string;
  /** Seconds since 1970. */
  readonly created_at?: number;
}

/**
 * @param idOf returns the new id of a snapshot by its old one.
 * @param read reads the archive of a snapshot.
 * @throws ApiError `project.import-refused`, `quota.snapshots`
 */
export async function importedSnapshots(
  projectId: string,
  entries: Entries,
  idOf: (oldId: string) => string,
  read: (entries: Entries) => Promise<ArchivedLab>,
): Promise<ImportedSnapshot[]> {
  const files = [...entries.keys()].filter((path) => stemOf(path) !== undefined);
  // Before any of them is read.
  refuseOverQuota({}, { snapshot_count: files.length });
  const listed = new Map(readList(entries).map((each) => [each.filename, each]));
  const names = new Set<string>();
  const ids = new Set<string>();
  const snapshots: ImportedSnapshot[] = [];
  let leftBytes = MAX_UNPACKED_BYTES;
  for (const [position, path] of files.entries()) {
    const filename = path.slice(SNAPSHOT_FOLDER.length);
    const known: Known = listed.get(filename) ?? fromFileName(stemOf(path)!);
    const archived = await explained(filename, async () => {
      const inside = readZip(entries.get(path)!.read(), leftBytes);
      leftBytes -= unpackedBytesOf(inside);
      return read(inside);
    });
    const name = freeName(known.name, names);
    const wish =
      known.snapshot_id === undefined ? crypto.randomUUID() : idOf(known.snapshot_id.toLowerCase());
    const snapshot_id = ids.has(wish) ? crypto.randomUUID() : wish;
    names.add(name);
    ids.add(snapshot_id);
    const created = known.created_at === undefined ? nowUs() : known.created_at * 1e6;
    // Keeps the order of snapshots that were taken in one second.
    const created_us = created + position;
    snapshots.push(packed({ project_id: projectId, snapshot_id, name, created_us }, archived));
  }
  return snapshots;
}

/** Returns the name of a snapshot's file without its extension; undefined for another entry. */
const stemOf = (path: string): string | undefined =>
  path.startsWith(SNAPSHOT_FOLDER) ? FILE.exec(path.slice(SNAPSHOT_FOLDER.length))?.[1] : undefined;

function readList(entries: Entries): Listed[] {
  const entry = entries.get(SNAPSHOT_LIST);
  if (entry === undefined) return [];
  try {
    return z.parse(listSchema, JSON.parse(entry.read().toString()));
  } catch {
    throw refuseImport(`its ${SNAPSHOT_LIST} is not a list of snapshots`);
  }
}

function fromFileName(stem: string): Known {
  const [, name = stem, ...digits] = WITH_TIME.exec(stem) ?? [];
  const [day, month, year, hour, minute, second] = digits.map(Number) as number[];
  if (second === undefined) return { name };
  return { name, created_at: Date.UTC(2000 + year!, month! - 1, day, hour, minute, second) / 1000 };
}

/** A name that is taken gets a number; one that the service does not take is refused. */
function freeName(wish: string, taken: ReadonlySet<string>): string {
  const result = nameSchema.safeParse(wish);
  if (!result.success) throw refuseImport(`the name of its snapshot ${result.error.issues[0]!.message}`);
  if (!taken.has(result.data)) return result.data;
  for (let number = 1; ; number++) if (!taken.has(`${wish}-${number}`)) return `${wish}-${number}`;
}

async function explained<T>(filename: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "project.import-refused") throw error;
    const detail = error.message.replace(/^Cannot import project, /, "");
    throw refuseImport(`its snapshot ${filename}: ${detail}; without this entry, the archive is imported`);
  }
}

/** Returns the item and the objects of a snapshot. */
function packed(
  own: Pick<ImportedSnapshot["item"], "project_id" | "snapshot_id" | "name" | "created_us">,
  { name, settings, lab }: ArchivedLab,
): ImportedSnapshot {
  const makeKey = () => newSnapshotKey(own.project_id, own.snapshot_id);
  const files = lab.files.map(({ bytes, ...file }) => ({
    file: { ...file, object_key: makeKey(), modified_ms: Math.floor(own.created_us / 1000) },
    bytes,
  }));
  const copy = makeLabCopy({ ...lab, name, settings, files: files.map(({ file }) => file) });
  const document = packLab(copy);
  const object_key = makeKey();
  const fileBytes = files.reduce((sum, { file }) => sum + file.size_bytes, 0);
  return {
    item: {
      ...own,
      object_key,
      file_keys: files.map(({ file }) => file.object_key),
      size_bytes: document.length + fileBytes,
    },
    objects: [
      { key: object_key, contentType: "application/gzip", bytes: () => document },
      ...files.map(({ file, bytes }) => ({ key: file.object_key, contentType: file.content_type, bytes })),
    ],
  };
}
