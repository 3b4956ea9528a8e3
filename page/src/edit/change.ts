/** Changes fields of devices, links and drawings: shown at once, sent, and noted in the history. */
import { batch } from "@preact/signals";
import { ApiProblem } from "../api/call.ts";
import type { Change } from "../lab/history.ts";
import type { Lab, PartKind } from "../lab/lab.ts";
import { isSame } from "../lab/own-changes.ts";
import { type FieldEdit, fieldOf } from "../lab/part-edits.ts";
import { notify } from "../ui/notices.tsx";

/** What edits need of a lab. */
type EditedLab = Pick<Lab, "shown" | "edit" | "remove" | "history">;

export interface PartEdit extends FieldEdit {
  readonly kind: PartKind;
  readonly id: string;
}

/** An edit that was made. */
interface MadeEdit extends PartEdit {
  /** The value in the form that the service has given it, or the value of a later edit. */
  readonly stored?: unknown;
}

/** Steps of a slider that follow each other faster are one entry of the history. */
const ONE_CHANGE_MS = 1_000;

/** What the page has noted in the history: to what an entry can be added. */
const noted = new WeakMap<Change, { readonly before: readonly PartEdit[]; readonly atMs: number }>();

const valueIn = (lab: EditedLab, { kind, id, path }: PartEdit): unknown =>
  fieldOf(lab.shown(kind, id) ?? {}, path);
const withValueIn = (lab: EditedLab, edit: PartEdit): PartEdit => ({ ...edit, value: valueIn(lab, edit) });
const keyOf = ({ kind, id, path }: PartEdit): string => JSON.stringify([kind, id, path]);
const areOfSameFields = (some: readonly PartEdit[], others: readonly PartEdit[]): boolean =>
  isSame(some.map(keyOf), others.map(keyOf));

interface Outcome {
  readonly made: readonly PartEdit[];
  /** The first error of those that the service has refused. */
  readonly error: unknown;
}

/** Makes the edits. One notice reports all that the service has refused. */
async function apply(lab: EditedLab, edits: readonly PartEdit[]): Promise<Outcome> {
  const failed = new Map<PartEdit, unknown>();
  const outcomes = batch(() =>
    edits.map((edit) => lab.edit(edit.kind, edit.id, edit).catch((error) => failed.set(edit, error))),
  );
  await Promise.all(outcomes);
  // Another client has deleted these: there is nothing to report.
  for (const [{ id }, error] of failed)
    if (error instanceof ApiProblem && error.status === 404) lab.remove(id);
  const refused = [...failed.keys()].filter(({ kind, id }) => lab.shown(kind, id) !== undefined);
  const error = refused[0] && failed.get(refused[0]);
  if (refused.length > 0) notify(refusalWords(refused, edits, error), true);
  return { made: edits.filter((edit) => !failed.has(edit)), error };
}

const countParts = (edits: readonly PartEdit[]): number => new Set(edits.map(({ id }) => id)).size;

function refusalWords(refused: readonly PartEdit[], all: readonly PartEdit[], error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const [some, count] = [countParts(refused), countParts(all)];
  return count === 1 ? `Not changed: ${reason}` : `${some} of ${count} were not changed: ${reason}`;
}

/** Undoes edits, or does them again; not where another user has changed the same field since. */
async function revert(lab: EditedLab, from: readonly MadeEdit[], to: readonly PartEdit[]): Promise<void> {
  const isOurs = from.map((edit) =>
    [edit.value, edit.stored].some((value) => isSame(valueIn(lab, edit), value)),
  );
  const others = from.filter((edit, index) => !isOurs[index] && lab.shown(edit.kind, edit.id) !== undefined);
  const count = countParts(others);
  if (count > 0)
    notify(
      `Changed since by another user, and left as it is: ${count === 1 ? "1 part" : `${count} parts`}.`,
      true,
    );
  await apply(
    lab,
    to.filter((_edit, index) => isOurs[index]),
  );
}

/**
 * @param name of the change, for the undo button.
 * @param isStep whether it may go on with a step before it, of the same fields.
 * @returns the first error of those that the service has refused; undefined if it has refused nothing.
 */
export async function changeParts(
  lab: EditedLab,
  edits: readonly PartEdit[],
  name: string,
  isStep = false,
): Promise<unknown> {
  const beforeAll = edits.map((edit) => withValueIn(lab, edit));
  const { made, error } = await apply(lab, edits);
  const before = beforeAll.filter((_edit, index) => made.includes(edits[index]!));
  const after = made.map((edit): MadeEdit => ({ ...edit, stored: valueIn(lab, edit) }));
  if (before.every(({ value }, index) => isSame(value, after[index]?.value))) return error;
  const last = lab.history.lastDone.peek();
  const entry = last && noted.get(last);
  const isSameChange =
    isStep &&
    entry !== undefined &&
    Date.now() - entry.atMs < ONE_CHANGE_MS &&
    areOfSameFields(entry.before, before);
  const from = isSameChange ? entry.before : before;
  const change = { name, undo: () => revert(lab, after, from), redo: () => revert(lab, from, after) };
  noted.set(change, { before: from, atMs: Date.now() });
  if (isSameChange) lab.history.replaceLast(change);
  else lab.history.note(change);
  return error;
}

/** Edits of whole fields of parts of one kind. */
export const fieldEdits = (kind: PartKind, changes: ReadonlyMap<string, object>): PartEdit[] =>
  [...changes].flatMap(([id, fields]) =>
    Object.entries(fields).map(([name, value]) => ({ kind, id, path: [name], value })),
  );
