/** Switches that the context may set: `-c tracing=true`. The command line gives text, cdk.json also booleans. */
import type { Node } from "constructs";
import type { ContextKey } from "./known-context.ts";

/** @throws Error for what is neither true nor false: a mistyped switch is not an off one. */
export function contextFlag(node: Node, key: ContextKey, byDefault = false): boolean {
  const given = String(node.tryGetContext(key) ?? "");
  if (given === "") return byDefault;
  if (given === "true") return true;
  if (given === "false") return false;
  throw new Error(`The context ${key} is ${given}; it has to be true or false`);
}
