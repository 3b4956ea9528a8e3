/** Reads the pace of consoles from the context: `-c console_pace=real`. */
import type { Node } from "constructs";

const PACES: readonly unknown[] = ["once", "real"];

/** @returns environment variables. @throws Error for another value. */
export function consolePace(node: Node): Record<string, string> {
  const pace: unknown = node.tryGetContext("console_pace");
  if (pace === undefined) return {};
  if (!PACES.includes(pace))
    throw new Error(`The context key console_pace is ${pace}; it must be once or real`);
  return { CONSOLE_PACE: String(pace) };
}
