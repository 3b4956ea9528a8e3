/** Changes fields of devices, links and drawings: shown at once, sent, and noted in the history. */
import { batch } from "@preact/signals";
import { ApiProblem } from "../api/call.ts";
import type { Change } from "../lab/history.ts";
import type { EditKind, Lab } from "../lab/lab.ts";
import { isSame } from "../lab/own-changes.ts";
import { type FieldEdit, fieldOf } from "../lab/part-edits.ts";
import { notify } from "../ui/notices.tsx";
import { fieldWords, listWords } from "./words.ts";

/** What edits need of a lab. */
export type EditedLab = Pick<Lab, "shown" | "edit" | "remove" | "refresh" | "history">;

export interface PartEdit extends FieldEdit {
  readonly kind: EditKind;
  readonly id: string;
}

/** An edit that was made. */
interface MadeEdit extends PartEdit {
  /** The value in the form that the service has given it, or the value of a later edit. */
  readonly stored?: unknown;
}

/** Fields that the service changes with another one: an undo sets them after that one, if they are not as they were. */
const FOLLOWERS: Readonly<Record<string, readonly string[]>> = { "node name": ["label"] };

const followersOf = ({ kind, id, path }: PartEdit): Omit<PartEdit, "value">[] =>
  (FOLLOWERS[`${kind} ${path.join(".")}`] ?? []).map((name) => ({ kind, id, path: [name] }));

/** Steps of a slider that follow each other faster are one entry of the history. */
const ONE_CHANGE_MS = 1_000;

/** What the page has noted in the history: to what an entry can be added. */
const noted = new WeakMap<Change, { readonly before: readonly PartEdit[]; readonly atMs: number }>();

const valueIn = (lab: EditedLab, { kind, id, path }: PartEdit): unknown =>
  fieldOf(lab.shown(kind, id) ?? {}, path);
const withValueIn = (lab: EditedLab, edit: PartEdit): PartEdit => ({ ...edit, value: valueIn(lab, edit) });
const keyOf = ({ kind, id, path }: Omit<PartEdit, "value">): string => JSON.stringify([kind, id, path]);
const areOfSameFields = (some: readonly PartEdit[], others: readonly PartEdit[]): boolean =>
  isSame(some.map(keyOf), others.map(keyOf));

interface Outcome {
  readonly made: readonly PartEdit[];
  /** The first error of those that the service has refused. */
  readonly error: unknown;
}

/** Makes the edits. @param reports whether one notice is to show all that the service has refused. */
async function apply(lab: EditedLab, edits: readonly PartEdit[], reports = true): Promise<Outcome> {
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
  if (reports && refused.length > 0) notify(refusalWords(refused, edits, error), true);
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
  // The event of another user's change may not have arrived yet.
  for (const [kind, edits] of Map.groupBy(from, (edit) => edit.kind))
    await lab.refresh(kind, [...new Set(edits.map(({ id }) => id))]);
  const isOurs = from.map((edit) =>
    [edit.value, edit.stored].some((value) => isSame(valueIn(lab, edit), value)),
  );
  const others = from.filter((edit, index) => !isOurs[index] && lab.shown(edit.kind, edit.id) !== undefined);
  const names = others.map(({ kind, id, path }) => fieldWords(lab, kind, id, path));
  if (names.length > 0)
    notify(`Changed since by another user, and left as it is: ${listWords(names)}.`, true);
  const own = to.filter((_edit, index) => isOurs[index]);
  const followers = new Set(own.flatMap(followersOf).map(keyOf));
  const isFollower = (edit: PartEdit): boolean => followers.has(keyOf(edit));
  const first = await apply(
    lab,
    own.filter((edit) => !isFollower(edit)),
    false,
  );
  const late = own.filter((edit) => isFollower(edit) && !isSame(valueIn(lab, edit), edit.value));
  const { error = first.error } = await apply(lab, late, false);
  if (error !== undefined) throw error;
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
  const withFollowers = (all: readonly PartEdit[]): PartEdit[] =>
    all.flatMap((edit) => [
      edit,
      ...followersOf(edit).map((each) => withValueIn(lab, { ...each, value: null })),
    ]);
  const before = withFollowers(edits.map((edit) => withValueIn(lab, edit)));
  const { made, error } = await apply(lab, edits);
  const keys = new Set(made.flatMap((edit) => [edit, ...followersOf(edit)]).map(keyOf));
  noteChange(
    lab,
    before.filter((edit) => keys.has(keyOf(edit))),
    withFollowers(made),
    name,
    isStep,
  );
  return error;
}

/**
 * Notes a change of fields that has been made.
 * @param before and `made` have the same fields in the same order.
 */
export function noteChange(
  lab: EditedLab,
  before: readonly PartEdit[],
  made: readonly PartEdit[],
  name: string,
  isStep = false,
): void {
  const after = made.map((edit): MadeEdit => ({ ...edit, stored: valueIn(lab, edit) }));
  if (before.every(({ value }, index) => isSame(value, after[index]?.value))) return;
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
}

/** Edits of whole fields of parts of one kind. */
export const fieldEdits = (kind: EditKind, changes: ReadonlyMap<string, object>): PartEdit[] =>
  [...changes].flatMap(([id, fields]) =>
    Object.entries(fields).map(([name, value]) => ({ kind, id, path: [name], value })),
  );
