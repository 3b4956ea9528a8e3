/** Removes all items and objects of a project. */

import { deleteItem, listKeys } from "../base/any-item.ts";
import { deletePrefix } from "../base/objects.ts";
import { holdsAll, MAX_TRANSACTION_ITEMS } from "../base/transact.ts";
import { filePrefix } from "../file/file-key.ts";
import { projectPrefixes } from "../lab/capture-objects.ts";
import { guestsPrefix } from "../lab/guest-state.ts";
import { isLeaving, type ProjectItem, whileLeaving } from "../project/project.ts";

/**
 * Deletes the project's items and objects, except the project itself. The call can be interrupted and repeated at any point, and
 * several requests may do it at once. It ends when all is deleted, or when the project is forgotten: then a client may give the id
 * to another project, and the same names and ids to its parts, which must not be taken for those listed here.
 *
 *     items     deleted in transactions on condition that the project is still the same
 *     objects   have keys that are used once: listed, then the project is checked, then deleted
 *
 * Links go first: a run or a stop that is in progress finds its link gone and deletes its objects. A stop that came after
 * the deletion of its capture's item would create that item again. Objects go last, when no request can add any.
 * @returns false when the project was forgotten before its items were deleted.
 */
export async function sweepProject(project: ProjectItem): Promise<boolean> {
  const { project_id } = project;
  const isStill = () => isLeaving(project);
  if (!(await sweepItems(project))) return false;
  for (const prefix of [...projectPrefixes(project_id), filePrefix(project_id), guestsPrefix(project_id)])
    await deletePrefix(prefix, isStill);
  return true;
}

/** Deletes the project's items, except the project itself. @returns false when the project was forgotten before. */
export async function sweepItems(project: ProjectItem): Promise<boolean> {
  const keys = await listKeys(project.project_id);
  const isCapture = (sk: string): boolean => sk.startsWith("CAPTURE#");
  const others = keys.filter((sk) => !isCapture(sk) && sk !== "META");
  return (await deleteItems(project, others)) && (await deleteItems(project, keys.filter(isCapture)));
}

/** A transaction holds 4 MB, and each of these items up to 400 KB: nine, and the project. */
const mayBeLarge = (sk: string): boolean => /^(NODE|LINK|DRAWING)#/.test(sk);
const LARGE_AT_ONCE = 9;
const OTHERS_AT_ONCE = MAX_TRANSACTION_ITEMS - 1;

/** @returns false when the project is gone. */
async function deleteItems(project: ProjectItem, keys: readonly string[]): Promise<boolean> {
  const large = keys.filter(mayBeLarge);
  const others = keys.filter((sk) => !mayBeLarge(sk));
  for (const batch of [...cut(large, LARGE_AT_ONCE), ...cut(others, OTHERS_AT_ONCE)]) {
    const deletions = batch.map((sk) => deleteItem(project.project_id, sk));
    // One transaction after the other: transactions with an item in common conflict.
    if (!(await holdsAll([whileLeaving(project), ...deletions]))) return false;
  }
  return true;
}

const cut = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
