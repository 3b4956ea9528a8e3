/**
 * Rejects keys of the context that are not in the table of settings: with a mistyped key, the setting would silently have its
 * default.
 */
import type { Node } from "constructs";
import { Settings } from "./chosen-settings.ts";
import { SETTING_KEYS } from "./settings.ts";

/**
 * Keys of the CDK: feature flags of its libraries, which cdk.json and the command line set; the command line's state
 * (acknowledged notices, telemetry); and the results of account look-ups, which cdk.context.json stores
 * (`availability-zones:account=...`).
 */
const CDK_KEYS =
  /^(@aws-cdk|@cdk|aws:|aws-cdk:|cdk-|acknowledged-issue-numbers$|cli-telemetry$|[a-z-]+:account=)/;

/** A suggested key differs from the given one by at most this number of edits. */
const MOST_EDITS = 2;

/** Returns the settings in the context. @throws Error for unknown keys and for values that a setting does not allow. */
export function settingsIn(node: Node): Settings {
  refuseUnknownContext(node);
  return new Settings(Object.fromEntries([...SETTING_KEYS].map((key) => [key, node.tryGetContext(key)])));
}

/** @throws Error for unknown keys, with suggestions of similar ones. */
export function refuseUnknownContext(node: Node): void {
  const keys = Object.keys((node.getAllContext() ?? {}) as object);
  const unknown = keys.filter((key) => !SETTING_KEYS.has(key) && !CDK_KEYS.test(key));
  if (unknown.length === 0) return;
  throw new Error(`${unknown.map(describeUnknown).join("\n")}\ndocs/settings.md has all keys.`);
}

function describeUnknown(key: string): string {
  const meant = nearestKey(key);
  return `The context has no key ${key}${meant === undefined ? "" : `; is ${meant} meant?`}`;
}

function nearestKey(key: string): string | undefined {
  const [nearest] = [...SETTING_KEYS]
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
