/** Settings in the context of the CDK: entries of `context` in cdk.json, and `-c key=value`. */
import type { Node } from "constructs";
import { refuseUnknown } from "./chosen-settings.ts";
import { SETTING_KEYS } from "./settings.ts";

/**
 * Keys of the CDK: feature flags of its libraries, which cdk.json and the command line set; the command line's state
 * (acknowledged notices, telemetry); and the results of account look-ups, which cdk.context.json stores
 * (`availability-zones:account=...`).
 */
const CDK_KEYS =
  /^(@aws-cdk|@cdk|aws:|aws-cdk:|cdk-|acknowledged-issue-numbers$|cli-telemetry$|[a-z-]+:account=)/;

/** Returns the values of the settings in the context. @throws Error for unknown keys. */
export function contextIn(node: Node): Record<string, unknown> {
  refuseUnknownContext(node);
  return Object.fromEntries(
    [...SETTING_KEYS].flatMap((key) => {
      const value: unknown = node.tryGetContext(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** @throws Error for unknown keys, with suggestions of similar ones. */
export function refuseUnknownContext(node: Node): void {
  const keys = Object.keys((node.getAllContext() ?? {}) as object);
  refuseUnknown(
    keys.filter((key) => !CDK_KEYS.test(key)),
    (key) => `The context has no key ${key}`,
  );
}
