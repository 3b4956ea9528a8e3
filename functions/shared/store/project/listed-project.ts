/** The keys of a project in the indexes, which have no other attributes of it. */
import { projectIdOf } from "../base/table.ts";

export interface ListedProject {
  readonly project_id: string;
  /** Microseconds since 1970. */
  readonly created_us: number;
}

export function listed(stored: object): ListedProject {
  const { pk, created_us } = stored as { pk: string; created_us: number };
  return { project_id: projectIdOf(pk), created_us };
}

/** Orders by creation; two projects rarely have the same microsecond. */
export const byCreation = (one: ListedProject, other: ListedProject): number =>
  one.created_us - other.created_us || (one.project_id < other.project_id ? -1 : 1);

/** Where a page ends: `<created_us>.<project_id>`, so that a page continues after a project that was deleted. */
export const cursorOf = ({ created_us, project_id }: ListedProject): string => `${created_us}.${project_id}`;

/** @param cursor as `cursorOf` returns it. */
export function readCursor(cursor: string): ListedProject {
  const dot = cursor.indexOf(".");
  return { created_us: Number(cursor.slice(0, dot)), project_id: cursor.slice(dot + 1) };
}
