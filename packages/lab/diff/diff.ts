/** What a change of a lab does: the facts of two labs that differ. */
import type { LabModel } from "../model/lab-model.ts";
import { factsOf, SECTIONS, type Section } from "./facts.ts";

export interface Change {
  readonly section: Section;
  /** What the fact is about: `r1 10.0.2.0/24`. */
  readonly subject: string;
  /** Undefined if only the second lab has it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Returns the changes, section by section, sorted by subject; empty for labs that behave the same. */
export function diffLabs(before: LabModel, after: LabModel): readonly Change[] {
  const [one, other] = [factsOf(before), factsOf(after)];
  return SECTIONS.flatMap((section) => {
    const [old, now] = [one[section], other[section]];
    const subjects = [...new Set([...old.keys(), ...now.keys()])].toSorted();
    return subjects.flatMap((subject): Change[] => {
      const [was, is] = [old.get(subject), now.get(subject)];
      return was === is ? [] : [{ section, subject, before: was, after: is }];
    });
  });
}
