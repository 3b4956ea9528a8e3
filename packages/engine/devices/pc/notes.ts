/**
 * Notes of a script: what it has behind it, as plain data, so that a run can be saved while the script waits. A restored script runs again
 * from its beginning, skips what its notes have, and comes to the wait at which it was. Nothing is done on the way.
 *
 *     const sentUs = once(notes, "sent", () => send());                         what is done, drawn or read: once
 *     const packet = yield* pause(notes, "answer", { timeoutUs, accept });      a wait
 *     const mac = yield* sub(notes, "mac", (own) => host.resolve(hop, own));    a script that this one calls
 *
 * What follows the last wait of a script needs no notes.
 */
import type { Notes, Received, Script, Wait } from "./host.ts";

export type { Notes } from "./host.ts";

interface Note {
  isDone: boolean;
  value: unknown;
  /** The notes of the script that this one calls; undefined if it calls none. */
  notes: Notes | undefined;
}

function noteOf(notes: Notes, key: string): Note {
  const before = notes[key];
  if (before !== undefined) return before as Note;
  const note: Note = { isDone: false, value: undefined, notes: undefined };
  notes[key] = note;
  return note;
}

/** Returns what `make` returned the first time. */
export function once<T>(notes: Notes, key: string, make: () => T): T {
  const note = noteOf(notes, key);
  if (!note.isDone) {
    note.value = make();
    note.isDone = true;
  }
  return note.value as T;
}

/** Waits, unless that wait is over. */
export function* pause(notes: Notes, key: string, wait: Wait): Script<Received | undefined> {
  const note = noteOf(notes, key);
  if (!note.isDone) {
    note.value = yield wait;
    note.isDone = true;
  }
  return note.value as Received | undefined;
}

/** Runs a script with notes of its own, unless it is over; returns its result. */
export function* sub<T>(notes: Notes, key: string, script: (own: Notes) => Script<T>): Script<T> {
  const note = noteOf(notes, key);
  if (!note.isDone) {
    note.notes ??= {};
    note.value = yield* script(note.notes);
    note.isDone = true;
    note.notes = undefined;
  }
  return note.value as T;
}

/** The notes of a script whose result this one returns. */
export function notesOf(notes: Notes, key: string): Notes {
  const note = noteOf(notes, key);
  note.notes ??= {};
  return note.notes;
}

/** A loop: each turn has notes of its own. */
export interface Turns {
  number: number;
  notes: Notes;
}

export const turnsOf = (notes: Notes, key: string, first = 0): Turns =>
  once(notes, key, () => ({ number: first, notes: {} }));

export function nextTurn(turns: Turns): void {
  turns.number += 1;
  turns.notes = {};
}
