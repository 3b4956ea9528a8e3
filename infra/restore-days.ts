/**
 * For how long what was deleted or overwritten can be brought back: `-c restore_days=35`. Bytes that are deleted are paid for
 * so much longer, whatever a quota says.
 */
import type { Node } from "constructs";
import { contextFigure } from "./context-figure.ts";

const DEFAULT_DAYS = 7;
/** Of DynamoDB's point-in-time recovery. */
const MOST_DAYS = 35;

/** @throws Error for what is no whole number from 1 to 35. */
export function restoreDays(node: Node): number {
  const days = contextFigure(node, "restore_days", { least: 1, isWhole: true }) ?? DEFAULT_DAYS;
  if (days > MOST_DAYS)
    throw new Error(`The context restore_days is ${days}; it has to be at most ${MOST_DAYS}`);
  return days;
}
