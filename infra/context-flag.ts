/** Switches that the context may set: `-c tracing=true`. The command line gives text, cdk.json also booleans. */
import type { Node } from "constructs";
import type { ContextKey } from "./known-context.ts";

/** @returns false unless the context says true. @throws Error for what is neither: a mistyped switch is not an off one. */
export function contextFlag(node: Node, key: ContextKey): boolean {
  const given = String(node.tryGetContext(key) ?? "false");
  if (given === "true") return true;
  if (given === "false" || given === "") return false;
  throw new Error(`The context ${key} is ${given}; it has to be true or false`);
}
