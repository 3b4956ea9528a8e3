/**
 * Lists all keys of the context and rejects others: with a mistyped key, the setting would silently have its default.
 * docs/settings.md describes each key; test/unit/settings-docs.test.ts compares the list, the page and the code.
 */
import type { Node } from "constructs";
import { ACCESS } from "./access.ts";

export const CONTEXT_KEYS = [
  "stack_name",
  "ephemeral",
  "auth",
  "iam_role",
  "jwt_issuer",
  "jwt_audience",
  "jwt_user_claim",
  "jwt_role_claim",
  "interface_version",
  "cors_origins",
  "gateway_log",
  "edge",
  "customer_key",
  "waf",
  "waf_rate",
  "throttle_rate",
  "throttle_burst",
  "throttle_public_rate",
  "throttle_public_burst",
  "throttle_runs_rate",
  "throttle_runs_burst",
  "runs_per_minute",
  "quota_nodes",
  "quota_links",
  "quota_captures",
  "quota_drawings",
  "quota_snapshots",
  "quota_files",
  "quota_stored_bytes",
  "quota_templates",
  "quota_projects",
  "quota_user_stored_bytes",
  "quota_symbols",
  "quota_symbol_bytes",
  "quota_user_symbols",
  "quota_user_symbol_bytes",
  "quota_followed_captures",
  "quota_followed_events",
  "quota_kept_answer_bytes",
  "run_max_events",
  "run_max_packets",
  "run_max_cpu_seconds",
  "run_max_captured_bytes",
  "run_max_bytes_in_flight",
  "run_max_output_characters",
  "run_max_lab_seconds",
  "console_pace",
  "abandoned_capture_days",
  "restore_days",
  "alarms",
  "alarm_email",
  "dashboard",
  "budget_usd",
  "tracing",
  "upgrade_index",
] as const;

/** The functions that read the context accept only this type, so code with an unlisted key does not compile. */
export type ContextKey = (typeof CONTEXT_KEYS)[number] | `concurrency_${string}`;

const ALL_KEYS: ReadonlySet<string> = new Set([
  ...CONTEXT_KEYS,
  ...Object.keys(ACCESS).map((name) => `concurrency_${name}`),
]);

/**
 * Keys of the CDK: feature flags of its libraries, which cdk.json and the command line set; the command line's state
 * (acknowledged notices, telemetry); and the results of account look-ups, which cdk.context.json stores
 * (`availability-zones:account=...`).
 */
const CDK_KEYS =
  /^(@aws-cdk|@cdk|aws:|aws-cdk:|cdk-|acknowledged-issue-numbers$|cli-telemetry$|[a-z-]+:account=)/;

/** A suggested key differs from the given one by at most this number of edits. */
const MOST_EDITS = 2;

/** @throws Error for unknown keys, with suggestions of similar ones. */
export function refuseUnknownContext(node: Node): void {
  const keys = Object.keys((node.getAllContext() ?? {}) as object);
  const unknown = keys.filter((key) => !ALL_KEYS.has(key) && !CDK_KEYS.test(key));
  if (unknown.length === 0) return;
  throw new Error(`${unknown.map(describeUnknown).join("\n")}\ndocs/settings.md has all keys.`);
}

function describeUnknown(key: string): string {
  const meant = nearestKey(key);
  return `The context has no key ${key}${meant === undefined ? "" : `; is ${meant} meant?`}`;
}

function nearestKey(key: string): string | undefined {
  const [nearest] = [...ALL_KEYS]
    .map((known) => ({ known, edits: editDistance(key, known) }))
    .filter(({ edits }) => edits <= MOST_EDITS)
    .toSorted((a, b) => a.edits - b.edits);
  return nearest?.known;
}

/** Returns the Levenshtein distance. `row` has the distances of a prefix of `from` to all prefixes of `to`. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
