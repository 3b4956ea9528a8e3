/**
 * The number of days for which deleted or overwritten data can be restored: `-c restore_days=35`. AWS charges for
 * deleted bytes during these days; the quotas do not count them.
 */
import type { Node } from "constructs";
import { contextFigure } from "./context-figure.ts";

const DEFAULT_DAYS = 7;
/** The maximum of DynamoDB's point-in-time recovery. */
const MOST_DAYS = 35;

/** @throws Error unless it is a whole number from 1 to 35. */
export function restoreDays(node: Node): number {
  const days = contextFigure(node, "restore_days", { least: 1, isWhole: true }) ?? DEFAULT_DAYS;
  if (days > MOST_DAYS)
    throw new Error(`The context key restore_days is ${days}; it must be at most ${MOST_DAYS}`);
  return days;
}
