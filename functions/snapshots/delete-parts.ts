import { failure, failureOf } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { DELETION_ERRORS } from "../shared/edge/own-errors/deletion.ts";
import { DRAWING_ERRORS } from "../shared/edge/own-errors/drawing.ts";
import { keepIfWritten, putObject } from "../shared/store/base/objects.ts";
import { nowUs } from "../shared/store/base/table.ts";
import { holdsAll, MAX_TRANSACTION_ITEMS, STALE, untilFresh } from "../shared/store/base/transact.ts";
import { sizeOf } from "../shared/store/commit/run-changes.ts";
import { type Contents, readContents } from "../shared/store/contents/read-contents.ts";
import {
  countInProject,
  type DeletedParts,
  type DeletionItem,
  getDeletion,
  newDeletion,
  noteDeletion,
  packParts,
  toDeletion,
} from "../shared/store/deletion/deletion.ts";
import { removingParts } from "../shared/store/deletion/steps.ts";
import { listCaptures, removing } from "../shared/store/lab/capture.ts";
import { isOnCompute } from "../shared/store/lab/node.ts";
import { openedProject, type ProjectItem } from "../shared/store/project/project.ts";
import { withRoomFor } from "../shared/store/project/stored-bytes.ts";
import { newSnapshotKey } from "../shared/store/snapshot/snapshot-objects.ts";
import type { group } from "./routes.ts";

interface Ids {
  readonly nodes?: readonly string[] | undefined;
  readonly links?: readonly string[] | undefined;
  readonly drawings?: readonly string[] | undefined;
}

/** A transaction holds 4 MB; this much leaves room for the names around the values. */
const MAX_BYTES = 2_500_000;
/** The project, the deletion, and the receipt of the request that undoes it. */
const OTHER_ITEMS = 3;

export const deleteParts: Operation<typeof group.routes.deleteParts> = async ({
  access,
  params: { project_id },
  body,
  receipt,
}) => {
  const deletion_id = newId({ receipt }, "deletion");
  const deletion = await untilFresh(async () => {
    const contents = await readContents(access, project_id);
    const project = openedProject(contents.project, project_id);
    // The client repeats a request whose response was lost.
    const existing = receipt && (await getDeletion(project_id, deletion_id));
    if (existing) return existing;
    const parts = await partsOf(contents, body, project_id);
    if (parts.nodes.length + parts.links.length + parts.drawings.length === 0)
      throw failureOf(DELETION_ERRORS, "deletion.nothing-there");
    refuseKept(contents, parts);
    return (await deleteAtOnce(project, deletion_id, parts)) ?? STALE;
  });
  return { status: 201, body: toDeletion(deletion) };
};

/** Returns the named parts that exist, and the links on the nodes. */
async function partsOf(contents: Contents, ids: Ids, projectId: string): Promise<DeletedParts> {
  const named = (list: readonly string[] = []) => new Set(list);
  const [ofNodes, ofLinks, ofDrawings] = [named(ids.nodes), named(ids.links), named(ids.drawings)];
  const links = contents.links.filter(
    ({ link_id, document }) =>
      ofLinks.has(link_id) || document.nodes.some(({ node_id }) => ofNodes.has(node_id)),
  );
  const gone = new Set(links.map(({ link_id }) => link_id));
  const captures = links.length === 0 ? [] : await listCaptures(projectId);
  return {
    nodes: contents.nodes.filter(({ node_id }) => ofNodes.has(node_id)),
    links,
    drawings: contents.drawings.filter(({ drawing_id }) => ofDrawings.has(drawing_id)),
    captures: captures.filter(({ link_id }) => gone.has(link_id)),
  };
}

/** @throws ApiError `node.locked`, `drawing.locked`, `lab.on-computes` */
function refuseKept({ nodes }: Contents, parts: DeletedParts): void {
  const locked = parts.nodes.find(({ document }) => document.locked);
  if (locked) throw failure("node.locked", { name: locked.name });
  const drawing = parts.drawings.find((each) => each.locked);
  if (drawing) throw failureOf(DRAWING_ERRORS, "drawing.locked", { drawing_id: drawing.drawing_id });
  const touched = new Set([
    ...parts.nodes.map(({ node_id }) => node_id),
    ...parts.links.flatMap(({ document }) => document.nodes.map(({ node_id }) => node_id)),
  ]);
  const real = nodes.find((node) => touched.has(node.node_id) && isOnCompute(node));
  if (real) throw failure("lab.on-computes", { name: real.name, what: "bring it back once it is deleted" });
}

/** @returns undefined when something changed since it was read. */
async function deleteAtOnce(
  project: ProjectItem,
  deletion_id: string,
  parts: DeletedParts,
): Promise<DeletionItem | undefined> {
  const { project_id, owner, run } = project;
  const going = removing(parts.captures, parts.links);
  if (going === undefined) return undefined;
  const removal = removingParts(project_id, parts);
  const items = removal.length + OTHER_ITEMS;
  if (items > MAX_TRANSACTION_ITEMS || sizeOf(parts) > MAX_BYTES)
    throw failureOf(DELETION_ERRORS, "deletion.too-large", { items, limit: MAX_TRANSACTION_ITEMS });
  const bytes = packParts(parts);
  const object_key = newSnapshotKey(project_id, deletion_id);
  const own = { project_id, deletion_id, object_key, size_bytes: bytes.length, created_us: nowUs() };
  const deletion = newDeletion(own, parts, going.usage.stored_bytes ?? 0);
  // Packets and states of guests stay counted, and the parts are counted also when there is no room: a deletion is always possible.
  const usage = {
    node_count: -parts.nodes.length,
    link_count: -parts.links.length,
    drawing_count: -parts.drawings.length,
    capture_count: -parts.captures.length,
    stored_bytes: bytes.length,
  };
  const write = async (): Promise<boolean> => {
    await putObject(object_key, bytes, "application/gzip");
    const counted = countInProject(project_id, 1, usage, { run });
    return keepIfWritten([object_key], holdsAll([counted, noteDeletion(deletion), ...removal]));
  };
  return (await withRoomFor(0, owner, write, bytes.length)) ? deletion : undefined;
}
