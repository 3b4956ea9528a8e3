/** Boolean settings in the context: `-c tracing=true`. Values from the command line are text; cdk.json may also have booleans. */
import type { Node } from "constructs";
import type { ContextKey } from "./known-context.ts";

/** @throws Error for a value other than true and false, because a mistyped value must not count as false. */
export function contextFlag(node: Node, key: ContextKey, byDefault = false): boolean {
  const given = String(node.tryGetContext(key) ?? "");
  if (given === "") return byDefault;
  if (given === "true") return true;
  if (given === "false") return false;
  throw new Error(`The context key ${key} is ${given}; it must be true or false`);
}
