/**
 * Snapshots in an archive, as existing programs keep them: an archive for each in the folder `snapshots`, and a list that names them.
 *
 *     snapshots/<name>_<ddmmyy>_<hhmmss>.gns3snapshot    programs that know no list take name and time from here
 *     snapshots/snapshots.conf
 */
import { failureOf } from "../shared/edge/errors.ts";
import { SNAPSHOT_ERRORS } from "../shared/edge/own-errors/snapshot.ts";
import { type LabCopy, unpackLab } from "../shared/lab-copy/lab-copy.ts";
import type { ReadLab } from "../shared/lab-copy/read-lab.ts";
import { readObject } from "../shared/store/base/objects.ts";
import { listSnapshots, type SnapshotItem, toSnapshot } from "../shared/store/snapshot/snapshot.ts";
import { boundOf, type Entry, entriesOf, jsonEntry } from "./export-entries.ts";
import { SNAPSHOT_EXTENSION, SNAPSHOT_FOLDER, SNAPSHOT_LIST } from "./names.ts";
import type { ProjectFileOptions } from "./project-file.ts";
import { writeZip } from "./zip-writer.ts";

/** @param lab the lab of the project, whose settings outside of the lab hold for its snapshots, too. */
export async function snapshotEntries(lab: ReadLab, options: ProjectFileOptions): Promise<Entry[]> {
  // A snapshot restores a lab on the computes that it had.
  const kept = { ...options, keepsComputes: true };
  const names = new Set<string>();
  const list: object[] = [];
  const entries: Entry[] = [];
  // Each snapshot is read for its size, and again when it is written: together they may be larger than a function's memory.
  for (const snapshot of await listSnapshots(lab.whole.project.project_id)) {
    const inside = await entriesIn(snapshot, lab, kept);
    if (inside === undefined) continue;
    const filename = fileNameOf(snapshot, names);
    list.push({ ...toSnapshot(snapshot), filename });
    entries.push({
      name: SNAPSHOT_FOLDER + filename,
      sizeBytes: boundOf(inside),
      modifiedMs: Math.floor(snapshot.created_us / 1000),
      read: () => archiveOf(snapshot, lab, kept),
    });
  }
  return entries.length === 0 ? [] : [jsonEntry(SNAPSHOT_LIST, list), ...entries];
}

async function* archiveOf(
  snapshot: SnapshotItem,
  lab: ReadLab,
  options: ProjectFileOptions,
): AsyncGenerator<Uint8Array> {
  const entries = await entriesIn(snapshot, lab, options);
  if (entries === undefined)
    throw failureOf(SNAPSHOT_ERRORS, "snapshot.not-found", { snapshot_id: snapshot.snapshot_id });
  yield* writeZip(entries, "none");
}

/** @returns undefined when another request deleted the snapshot meanwhile. */
async function entriesIn(
  { snapshot_id, object_key }: SnapshotItem,
  lab: ReadLab,
  options: ProjectFileOptions,
): Promise<Entry[] | undefined> {
  const bytes = await readObject(object_key);
  if (bytes === undefined) return undefined;
  const copy = unpackLab(bytes, `snapshot ${snapshot_id}`);
  return entriesOf(toReadLab(copy, lab), options, async (file) => {
    const content = await readObject(file.object_key);
    if (content === undefined) throw failureOf(SNAPSHOT_ERRORS, "snapshot.not-found", { snapshot_id });
    return content;
  });
}

function toReadLab(
  { settings, clock_us, nodes, links, drawings, files }: LabCopy,
  { whole }: ReadLab,
): ReadLab {
  const { project } = whole;
  const own = { project_id: project.project_id, revision: 1, created_us: 0 };
  return {
    whole: { project: { ...project, clock_us }, settings: { ...whole.settings, ...settings } },
    contents: {
      project,
      nodes: nodes.map((node) => ({ ...own, ...node, links: {}, wiring: 0 })),
      links: links.map((link) => ({ ...own, ...link })),
      drawings: drawings.map((drawing) => ({ ...own, ...drawing })),
      files: files.map((file) => ({ ...file, project_id: project.project_id })),
    },
  };
}

/** What file systems or archives do not take in a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are among these
const UNSAFE = /[\\/:*?"<>|\u0000-\u001f]/g;
const NAME_CHARACTERS = 100;

function fileNameOf({ name, snapshot_id, created_us }: SnapshotItem, taken: Set<string>): string {
  const [date = "", time = ""] = new Date(created_us / 1000).toISOString().slice(2, 19).split("T");
  const day = date.split("-").toReversed().join("");
  const safe = name.replaceAll(UNSAFE, "-").slice(0, NAME_CHARACTERS).toWellFormed();
  const stamp = `${day}_${time.replaceAll(":", "")}${SNAPSHOT_EXTENSION}`;
  const wish = `${safe}_${stamp}`;
  const free = taken.has(wish) ? `${snapshot_id}_${stamp}` : wish;
  taken.add(free);
  return free;
}
