/** Counts each user's projects: one item for each user, written with the projects. */
import type { Transaction } from "../base/transact.ts";
import { countStep } from "./counter.ts";

const counterOf = (user: string) => ({ pk: `USAGE#${user}`, sk: "PROJECTS" });

/** Returns a step that counts a project of the user; it succeeds while there is room. */
export const countProject = (user: string): Transaction =>
  countStep(counterOf(user), { project_count: 1 }, { project_count: "quota_projects" });

/** Returns a step that subtracts a project. */
export const uncountProject = (user: string): Transaction =>
  countStep(counterOf(user), { project_count: -1 });
