/**
 * Deletes devices with their links, links, and drawings, so that the service can bring them back for an hour: with files, saved
 * configurations, impairments, power and captures.
 */
import { batch, signal } from "@preact/signals";
import type { Deletion, UndoneDeletion } from "../../../functions/shared/schemas/deletion.ts";
import { ApiProblem, call } from "../api/call.ts";
import type { Lab } from "../lab/lab.ts";
import { notify, notifyWithAction } from "../ui/notices.tsx";
import { type Parts, partsOf, recreate } from "./recreate.ts";
import { listWords } from "./words.ts";

type RemovedLab = Pick<
  Lab,
  | "path"
  | "nodes"
  | "links"
  | "drawings"
  | "selection"
  | "history"
  | "remove"
  | "putNode"
  | "putLink"
  | "putDrawing"
  | "readConditions"
>;

/** How often this page has deleted something that can be brought back. */
export const deletions = signal(0);

/** One step of a removal: what the service keeps, or the parts that it does not. */
type Removed = { readonly deletion: string; readonly parts: Parts } | { readonly parts: Parts };

const idsOf = ({ nodes, links, drawings }: Parts) => ({
  nodes: nodes.map(({ node_id }) => node_id),
  links: links.map(({ link_id }) => link_id),
  drawings: drawings.map(({ drawing_id }) => drawing_id),
});

const isCode = (error: unknown, code: string): boolean => error instanceof ApiProblem && error.code === code;

/**
 * Deletes parts without a note in the history.
 * @returns the steps, in their order.
 */
async function removeAll(lab: RemovedLab, ids: ReadonlySet<string>): Promise<Removed[]> {
  const steps: Removed[] = [];
  await removeParts(lab, partsOf(lab, ids), steps);
  return steps;
}

async function removeParts(lab: RemovedLab, parts: Parts, steps: Removed[]): Promise<void> {
  const { nodes, links, drawings } = idsOf(parts);
  const count = nodes.length + links.length + drawings.length;
  if (count === 0) return;
  try {
    const deletion = await call<Deletion>("POST", `${lab.path}/deletions`, {
      body: { nodes: nodes.slice(0, MOST), links: links.slice(0, MOST), drawings: drawings.slice(0, MOST) },
    });
    const gone = new Set([
      ...deletion.nodes.map(({ node_id }) => node_id),
      ...deletion.links,
      ...deletion.drawings,
    ]);
    deletions.value += 1;
    steps.push({ deletion: deletion.deletion_id, parts: only(parts, gone) });
    for (const id of gone) lab.remove(id);
    await removeParts(lab, only(parts, gone, false), steps);
  } catch (error) {
    if (isCode(error, "deletion.nothing-there")) return forget(lab, parts);
    if (isCode(error, "lab.on-computes")) return removeForGood(lab, parts, steps);
    if (!isCode(error, "deletion.too-large") || count === 1) throw error;
    for (const half of halves(parts)) await removeParts(lab, half, steps);
  }
}

/** The most ids of a kind in one request. */
const MOST = 100;

const only = ({ nodes, links, drawings }: Parts, ids: ReadonlySet<string>, isIn = true): Parts => ({
  nodes: nodes.filter(({ node_id }) => ids.has(node_id) === isIn),
  links: links.filter(({ link_id }) => ids.has(link_id) === isIn),
  drawings: drawings.filter(({ drawing_id }) => ids.has(drawing_id) === isIn),
});

/** Links come before the nodes that they are on: a node alone may have more links than fit into one request. */
function halves(parts: Parts): readonly Parts[] {
  const { nodes, links, drawings } = idsOf(parts);
  const all = [...links, ...drawings, ...nodes];
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)].map((ids) => only(parts, new Set(ids)));
}

/** Another client has deleted the parts. */
function forget(lab: RemovedLab, parts: Parts): void {
  for (const id of Object.values(idsOf(parts)).flat()) lab.remove(id);
}

/** The service cannot bring back what is on a registered compute: an undo makes such devices anew, without their disks. */
async function removeForGood(lab: RemovedLab, parts: Parts, steps: Removed[]): Promise<void> {
  const { nodes, links, drawings } = idsOf(parts);
  const remove = async (path: string, id: string) => {
    await call("DELETE", `${lab.path}/${path}/${id}`);
    steps.push({ parts: only(parts, new Set([id])) });
    lab.remove(id);
  };
  for (const id of links) await remove("links", id);
  for (const id of nodes) await remove("nodes", id);
  for (const id of drawings) await remove("drawings", id);
}

/** Brings back what was removed, the last step first. Steps that are done leave the list, so a repetition goes on with the others. */
async function restoreAll(lab: RemovedLab, steps: Removed[]): Promise<void> {
  for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
    if ("deletion" in step) await undoDeletion(lab, step.deletion, step.parts);
    else await recreate(lab, step.parts);
    steps.pop();
  }
  await lab.readConditions();
}

/** @returns the ids of the parts. */
async function undoKept(lab: RemovedLab, id: string): Promise<ReadonlySet<string>> {
  const back = await call<UndoneDeletion>("POST", `${lab.path}/deletions/${id}/undo`);
  batch(() => {
    for (const node of back.nodes) lab.putNode(node);
    for (const link of back.links) lab.putLink(link);
    for (const drawing of back.drawings) lab.putDrawing(drawing);
  });
  return new Set(Object.values(idsOf(back)).flat());
}

/** Brings back what this page or another one has deleted. */
export async function bringBack(lab: RemovedLab, deletionId: string): Promise<void> {
  const ids = await undoKept(lab, deletionId);
  await lab.readConditions();
  lab.selection.value = ids;
  noteMade(lab, "bring back deleted parts", ids);
}

async function undoDeletion(lab: RemovedLab, id: string, parts: Parts): Promise<void> {
  try {
    await undoKept(lab, id);
  } catch (error) {
    if (!isCode(error, "deletion.not-found")) throw error;
    notify("What was deleted an hour ago comes back without files, captures and impairments.", true);
    await recreate(lab, parts);
  }
}

/** Notes that parts were made. */
export function noteMade(lab: RemovedLab, name: string, ids: ReadonlySet<string>): void {
  let removed: Removed[] = [];
  lab.history.note({
    name,
    undo: async () => {
      removed = await removeAll(lab, ids);
    },
    redo: () => restoreAll(lab, removed),
  });
}

/** Deletes what is selected. */
export async function removeSelected(lab: RemovedLab): Promise<void> {
  const ids = lab.selection.value;
  const parts = partsOf(lab, ids);
  const count = parts.nodes.length + parts.links.length + parts.drawings.length;
  if (count === 0) return;
  let steps: Removed[] = [];
  try {
    await removeParts(lab, parts, steps);
  } finally {
    if (steps.length > 0) {
      lab.history.note({
        name: count === 1 ? "delete a part" : `delete ${count} parts`,
        undo: () => restoreAll(lab, steps),
        redo: async () => {
          steps = await removeAll(lab, ids);
        },
      });
      if (parts.nodes.length > 0) offerUndo(lab, parts);
    }
  }
}

/** The offer ends with the next change: the button of the bar would undo that one first. */
function offerUndo({ history }: RemovedLab, { nodes, links }: Parts): void {
  const names = listWords(nodes.map(({ name }) => name));
  const also = links.length === 0 ? "" : ` with ${links.length === 1 ? "a link" : `${links.length} links`}`;
  const dismiss = notifyWithAction(`Deleted: ${names}${also}.`, { name: "Undo", run: () => history.undo() });
  const change = history.lastDone.peek();
  const stop = history.lastDone.subscribe((last) => {
    if (last === change) return;
    dismiss();
    queueMicrotask(() => stop());
  });
}
