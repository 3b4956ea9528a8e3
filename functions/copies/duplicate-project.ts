import type { Access } from "../shared/edge/access.ts";
import { failureOf } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { IMPORT_ERRORS } from "../shared/edge/own-errors/import.ts";
import { bytesOf, copyFiles, keysOf } from "../shared/lab-copy/copy-files.ts";
import { withoutGuests } from "../shared/lab-copy/copy-guests.ts";
import { createLab } from "../shared/lab-copy/create-lab.ts";
import type { LabCopy } from "../shared/lab-copy/lab-copy.ts";
import { withNewIds } from "../shared/lab-copy/new-ids.ts";
import { type ReadLab, readLab, toLabCopy } from "../shared/lab-copy/read-lab.ts";
import { STARTED_WHEN_CREATED } from "../shared/schemas/node.ts";
import { keepIfWritten } from "../shared/store/base/objects.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { readWholeProject } from "../shared/store/contents/read.ts";
import { newFileKey } from "../shared/store/file/file-key.ts";
import { refuseOverQuota } from "../shared/store/limits/quota.ts";
import { ownerOfNew } from "../shared/store/project/access.ts";
import { withRoomFor } from "../shared/store/project/stored-bytes.ts";
import { toProject, type WholeProject } from "../shared/store/project/whole-project.ts";
import { copySnapshots } from "./copy-snapshots.ts";
import type { group } from "./routes.ts";

/** A copy stays until a user deletes it, and belongs to the caller alone. */
const OWN_SETTINGS = {
  auto_close: false,
  auto_open: false,
  auto_start: false,
  expires_at: null,
  shared_with: [],
};

export const duplicateProject: Operation<typeof group.routes.duplicateProject> = async (request) => {
  const { params, body, receipt } = request;
  if (body.path != null) throw failureOf(IMPORT_ERRORS, "project.path-refused");
  const project_id = newId(request, "project");
  const made = await untilFresh(async () => {
    const lab = await readLab(request.access, params.project_id);
    // The client repeats a request whose response was lost.
    const existing = receipt && (await readWholeProject(request.access, project_id));
    if (existing) return existing;
    const ids = new Ids(request);
    return (await duplicate(request.access, lab, { project_id, name: body.name }, ids)) ?? STALE;
  });
  return { status: 201, body: toProject(made) };
};

/** New ids of the parts of one project, the same for the same part. */
class Ids {
  readonly #request: Parameters<typeof newId>[0];
  readonly #ids = new Map<string, string>();

  constructor(request: Parameters<typeof newId>[0]) {
    this.#request = request;
  }

  readonly make = (id: string): string => {
    const made = this.#ids.get(id) ?? newId(this.#request, id);
    this.#ids.set(id, made);
    return made;
  };
}

interface Wanted {
  readonly project_id: string;
  readonly name: string;
}

/** @returns undefined when a file or a snapshot of the original was replaced or deleted meanwhile. */
async function duplicate(
  access: Access,
  lab: ReadLab,
  wanted: Wanted,
  { make }: Ids,
): Promise<WholeProject | undefined> {
  const { project_id, name } = wanted;
  const original = lab.whole.project.project_id;
  const copy = withNewIds(closed(withoutGuests(toLabCopy(lab))), make);
  const files = await copyFiles(copy.files, () => newFileKey(project_id));
  if (files === undefined) return undefined;
  const keys = keysOf(files);
  const write = async (): Promise<WholeProject | undefined> => {
    const snapshots = await copySnapshots(original, project_id, make, keys);
    if (snapshots === undefined) return undefined;
    const stored_bytes = bytesOf(files) + snapshots.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    const usage = {
      node_count: copy.nodes.length,
      link_count: copy.links.length,
      drawing_count: copy.drawings.length,
      file_count: files.length,
      snapshot_count: snapshots.length,
      stored_bytes,
    };
    refuseOverQuota({}, usage);
    const settings = { ...lab.whole.settings, ...OWN_SETTINGS };
    let made: WholeProject | "id-taken" = "id-taken";
    await withRoomFor(stored_bytes, ownerOfNew(access), async () => {
      const own = { project_id, names: namesLike(name), settings };
      made = await createLab(access, own, { ...copy, files }, snapshots, usage);
      return made !== "id-taken";
    });
    return made === "id-taken" ? undefined : made;
  };
  let made: WholeProject | undefined;
  const writing = write().then((result) => {
    made = result;
    return result !== undefined;
  });
  // `keys` grows while the snapshots are copied.
  await keepIfWritten(keys, writing);
  return made;
}

/** Nothing runs in a closed project. */
const closed = (copy: LabCopy): LabCopy => ({
  ...copy,
  nodes: copy.nodes.map((node) =>
    STARTED_WHEN_CREATED.has(node.document.node_type) ? node : { ...node, status: "stopped" },
  ),
});

/** A name is unique among all projects, so another user may have any of these. */
const MOST_NAMES = 1_000;
const NAME_CHARACTERS = 255;

function* namesLike(name: string): Generator<string> {
  yield name;
  for (let number = 1; number < MOST_NAMES; number++) {
    const suffix = `-${number}`;
    yield name.slice(0, NAME_CHARACTERS - suffix.length).toWellFormed() + suffix;
  }
}
