/**
 * Reads the quotas of projects, users and the stack, and a user's limit of runs per minute, from the context:
 * `-c quota_nodes=200`. A missing key leaves the function's default (functions/shared/store/limits/quota.ts).
 */
import type { Node } from "constructs";
import { contextFigure } from "./context-figure.ts";
import type { ContextKey } from "./known-context.ts";

/** Maps context keys to environment variables. */
const VARIABLES = {
  quota_nodes: "QUOTA_NODES",
  quota_links: "QUOTA_LINKS",
  quota_captures: "QUOTA_CAPTURES",
  quota_drawings: "QUOTA_DRAWINGS",
  quota_snapshots: "QUOTA_SNAPSHOTS",
  quota_files: "QUOTA_FILES",
  quota_stored_bytes: "QUOTA_STORED_BYTES",
  quota_templates: "QUOTA_TEMPLATES",
  quota_projects: "QUOTA_PROJECTS",
  quota_user_stored_bytes: "QUOTA_USER_STORED_BYTES",
  quota_symbols: "QUOTA_SYMBOLS",
  quota_symbol_bytes: "QUOTA_SYMBOL_BYTES",
  quota_user_symbols: "QUOTA_USER_SYMBOLS",
  quota_user_symbol_bytes: "QUOTA_USER_SYMBOL_BYTES",
  quota_followed_captures: "QUOTA_FOLLOWED_CAPTURES",
  quota_followed_events: "QUOTA_FOLLOWED_EVENTS",
  quota_kept_answer_bytes: "QUOTA_KEPT_ANSWER_BYTES",
  runs_per_minute: "RUNS_PER_MINUTE",
} as const satisfies Partial<Record<ContextKey, string>>;

/** A new follower evicts the oldest one, so the minimum is one; `concurrency_follow=0` disables following. */
const LEAST: Readonly<Partial<Record<string, number>>> = {
  quota_followed_captures: 1,
  quota_followed_events: 1,
};

/** Route groups whose functions create quota-limited resources. */
export const ADDS: ReadonlySet<string> = new Set([
  "projects",
  "nodes",
  "links",
  "drawings",
  "templates",
  "actions",
  "snapshots",
  "copies",
  "follow",
  "notifications",
  "runs",
  "files",
  "archives",
  "symbols",
]);

/** @returns environment variables. @throws Error for a quota that is not a whole number, or is too small. */
export function quotas(node: Node): Record<string, string> {
  const given = Object.entries(VARIABLES).flatMap(([key, variable]): [string, string][] => {
    const value = contextFigure(node, key as ContextKey, { least: LEAST[key] ?? 0, isWhole: true });
    return value === undefined ? [] : [[variable, String(value)]];
  });
  return Object.fromEntries(given);
}
