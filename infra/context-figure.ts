/** Numbers in the context: `-c throttle_rate=20`. */
import type { Node } from "constructs";
import type { ContextKey } from "./known-context.ts";

interface Bounds {
  readonly least: number;
  readonly isWhole?: boolean;
}

/** @returns undefined if the context does not have the key. @throws Error for an invalid or too small number. */
export function contextFigure(node: Node, key: ContextKey, { least, isWhole }: Bounds): number | undefined {
  const given: unknown = node.tryGetContext(key);
  if (given === undefined || given === "") return undefined;
  const value = Number(given);
  if (value >= least && Number.isFinite(value) && (!isWhole || Number.isInteger(value))) return value;
  throw new Error(
    `The context key ${key} is ${given}; it must be a ${isWhole ? "whole " : ""}number from ${least} up`,
  );
}
