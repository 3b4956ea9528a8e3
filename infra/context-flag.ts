/** Boolean settings in the context: `-c tracing=true`. The command line gives text, cdk.json also booleans. */
import type { Node } from "constructs";
import type { ContextKey } from "./known-context.ts";

/** @throws Error for a value other than true and false, because a mistyped value must not count as false. */
export function contextFlag(node: Node, key: ContextKey, byDefault = false): boolean {
  const given = String(node.tryGetContext(key) ?? "");
  if (given === "") return byDefault;
  if (given === "true") return true;
  if (given === "false") return false;
  throw new Error(`The context ${key} is ${given}; it has to be true or false`);
}
