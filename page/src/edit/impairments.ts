/** Notes changes of the impairments of links, which their form makes. */
import type { Impairments } from "../api/types.ts";
import { isSame } from "../lab/own-changes.ts";
import { fieldOf } from "../lab/part-edits.ts";
import { type EditedLab, noteChange, type PartEdit } from "./change.ts";

const isSet = (value: unknown): value is Impairments =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Paths of the fields that differ: the impairments of a direction are fields of their own. */
function differing(before: Impairments, after: Impairments): string[][] {
  const keys = (...sets: readonly unknown[]): string[] => [
    ...new Set(sets.flatMap((set) => (isSet(set) ? Object.keys(set) : []))),
  ];
  return keys(before, after)
    .flatMap((key) => {
      const [one, other] = [before[key], after[key]];
      const isDirection = [one, other].every((value) => value === undefined || isSet(value));
      return isDirection ? keys(one, other).map((name) => [key, name]) : [[key]];
    })
    .filter((path) => !isSame(fieldOf(before, path), fieldOf(after, path)));
}

export function noteImpairments(lab: EditedLab, id: string, before: Impairments, after: Impairments): void {
  const editsTo = (set: Impairments): PartEdit[] =>
    differing(before, after).map((path) => ({ kind: "impairments", id, path, value: fieldOf(set, path) }));
  noteChange(lab, editsTo(before), editsTo(after), "change the impairments of a link", true);
}
