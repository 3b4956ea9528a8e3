/**
 * Puts a copy of a lab in the place of a project's lab, in one large commit (store/commit/commit.ts): readers find the lab before it or
 * after it.
 *
 *     read      the lab, its captures, and the keys of what it consists of
 *     commit    if no run, addition, removal or change of settings came since: the copy's items written, all others of the
 *               lab deleted, the project's counts and clock set
 *
 * A run, a console call or a change in progress has read items of other revisions, or another run counter, so it begins again with the
 * lab that is there then.
 */
import type { Access } from "../edge/access.ts";
import { failure } from "../edge/errors.ts";
import type { Receipt } from "../edge/idempotency.ts";
import type { ProjectSettings } from "../schemas/project.ts";
import { listKeys } from "../store/base/any-item.ts";
import { discardObjects, keepIfWritten } from "../store/base/objects.ts";
import { nowUs } from "../store/base/table.ts";
import { commitLarge } from "../store/commit/commit.ts";
import type { Change, PutChange } from "../store/commit/run-changes.ts";
import { readContents } from "../store/contents/read-contents.ts";
import { newFileKey } from "../store/file/file-key.ts";
import { type CaptureItem, discardPackets, listCaptures, removing, stopping } from "../store/lab/capture.ts";
import { guestKeysOf } from "../store/lab/guest-state.ts";
import type { LinkItem } from "../store/lab/link.ts";
import { isOnCompute } from "../store/lab/node.ts";
import { refuseOverQuota, type Usage } from "../store/limits/quota.ts";
import type { ProjectItem, RestoredSnapshot } from "../store/project/project.ts";
import { restoredFields } from "../store/project/restored-fields.ts";
import { withRoomFor } from "../store/project/stored-bytes.ts";
import type { WholeProject } from "../store/project/whole-project.ts";
import { captureItem, labItems, settingsItem } from "./copied-items.ts";
import { bytesOf, copyFiles, keysOf } from "./copy-files.ts";
import { guestsOf, restoreGuests } from "./copy-guests.ts";
import type { LabCopy } from "./lab-copy.ts";

/** What a lab consists of, beside its project, settings, captures and snapshots. A series is a hint that is made anew. */
const PARTS = /^(?:NODE|LINK|DRAWING|FILE|TAKEN|TAKEN_INDEX|TAKEN_CONSOLE|SERIES)#/;

/** The attributes of the project that other requests must not have changed meanwhile. */
const AS_READ = ["contents", "revision"] as const satisfies (keyof ProjectItem)[];

/**
 * @param whole the project as it was read, before this call.
 * @returns the project's settings afterwards, or undefined when the lab or its settings changed meanwhile; then nothing was changed.
 * @throws ApiError `lab.on-computes` for a node of a registered compute; `quota.*` when the copy has more than the project has room for.
 */
export async function replaceLab(
  access: Access,
  { project: { project_id, revision, owner }, settings: before }: WholeProject,
  copy: LabCopy,
  snapshot: RestoredSnapshot["snapshot"],
  receipt: Receipt | undefined,
): Promise<ProjectSettings | undefined> {
  const { project, nodes, links, files: replaced } = await readContents(access, project_id);
  const real = nodes.find(isOnCompute);
  if (real) throw failure("lab.on-computes", { name: real.name, what: "put another lab in its place" });
  if (project === undefined || project.revision !== revision) return undefined;
  const captures = await captureChanges(project_id, links, copy);
  if (captures === undefined) return undefined;
  const { gone, usage } = captures;
  const addedBytes = bytesOf([...copy.files, ...guestsOf(copy)]);
  const guestBytes = nodes.reduce((sum, { guest_bytes = 0 }) => sum + guest_bytes, 0);
  const counts = {
    node_count: copy.nodes.length,
    link_count: copy.links.length,
    drawing_count: copy.drawings.length,
    file_count: copy.files.length,
    capture_count: (project.capture_count ?? 0) - (usage.capture_count ?? 0),
    stored_bytes:
      (project.stored_bytes ?? 0) - (usage.stored_bytes ?? 0) + addedBytes - bytesOf(replaced) - guestBytes,
  } satisfies Usage;
  refuseGrowth(project, counts);
  const settings = { ...before, ...copy.settings };
  const fields = restoredFields({
    counts,
    settings,
    revision: revision + 1,
    clockUs: copy.clock_us,
    restored: { run: (project.run ?? 0) + 1, snapshot },
  });
  const keys = await listKeys(project_id);
  const done = await withRoomFor(addedBytes, owner, async () => {
    const files = await copyFiles(copy.files, () => newFileKey(project_id));
    if (files === undefined) return false;
    const restored = await restoreGuests(project_id, copy);
    if (restored === undefined) {
      await discardObjects(keysOf(files));
      return false;
    }
    const puts = [
      ...labItems(project_id, { ...restored.copy, files }, nowUs()),
      settingsItem(project_id, revision + 1, settings),
    ];
    const changes = [...puts, ...withoutOthers(keys, puts), ...captures.changes];
    const written = commitLarge(project, changes, { fields, asRead: AS_READ, receipt }, async () => {
      await discardPackets(gone);
      await discardObjects([...keysOf(replaced), ...guestKeysOf(nodes)]);
    });
    return keepIfWritten([...keysOf(files), ...restored.keys], written);
  });
  return done ? settings : undefined;
}

/** Returns deletions of the lab's parts that are not written. */
function withoutOthers(keys: readonly string[], puts: readonly PutChange[]): Change[] {
  const written = new Set(puts.map(({ sk }) => sk));
  return keys
    .filter((sk) => PARTS.test(sk) && !written.has(sk))
    .map((sk) => ({ kind: "delete" as const, sk }));
}

interface CaptureChanges {
  readonly changes: Change[];
  /** The captures of links that the copy does not have. */
  readonly gone: readonly CaptureItem[];
  readonly usage: Usage;
}

/**
 * Stops the captures that run. Those of links that the copy has are kept, the others removed with their links.
 * @returns undefined when a capture started or stopped since the links were read.
 */
async function captureChanges(
  projectId: string,
  links: readonly LinkItem[],
  copy: LabCopy,
): Promise<CaptureChanges | undefined> {
  const kept = new Set(copy.links.map(({ link_id }) => link_id));
  const gone = (await listCaptures(projectId)).filter(({ link_id }) => !kept.has(link_id));
  const going = removing(
    gone,
    links.filter(({ link_id }) => !kept.has(link_id)),
  );
  if (going === undefined) return undefined;
  const stopped = links.filter(({ link_id, capture }) => capture !== undefined && kept.has(link_id));
  const changes: Change[] = [
    ...stopped.map((link) => captureItem(stopping(link).stopped)),
    ...gone.map(({ link_id, capture_id }) => ({
      kind: "delete" as const,
      sk: `CAPTURE#${link_id}#${capture_id}`,
    })),
  ];
  return { changes, gone, usage: going.usage };
}

/** @throws ApiError `quota.*` when a count grows over its quota; one that is over it already may stay. */
function refuseGrowth(project: ProjectItem, counts: Usage): void {
  for (const [name, count] of Object.entries(counts) as [keyof Usage, number][]) {
    const growth = count - (project[name] ?? 0);
    if (growth > 0) refuseOverQuota(project, { [name]: growth });
  }
}
