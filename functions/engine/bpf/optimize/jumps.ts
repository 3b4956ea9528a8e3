/**
 * Edges that can go further at once: past a branch with equal sides, or past a branch whose outcome follows from a
 * branch that was certainly taken before - the same comparison, or `A = other constant`.
 */
import * as op from "../instructions.ts";
import { takenBefore } from "./dominators.ts";
import { A_ATOM, type FlowEdge, type FlowNode } from "./graph.ts";
import type { Progress } from "./progress.ts";

export function shortcutEdge(edge: FlowEdge, progress: Progress): void {
  skipPointlessBranch(edge, progress);
  while (!edge.to!.isReturn) {
    const target = impliedTarget(edge, progress);
    if (target === null) return;
    edge.to = target;
    progress.markBranches();
  }
}

function skipPointlessBranch(edge: FlowEdge, progress: Progress): void {
  const { onTrue, onFalse } = edge.to!;
  if (onTrue.to === null || onTrue.to !== onFalse.to || conflicts(edge.from, onTrue.to)) return;
  edge.to = onTrue.to;
  progress.markStatements();
}

/** Where the branch at the end of `edge` surely goes. Of several edges that tell, libpcap asks the one with the lowest id. */
function impliedTarget(edge: FlowEdge, progress: Progress): FlowNode | null {
  if (progress.stepsLeft < 0) return null;
  const child = edge.to!;
  const { code } = child;
  const a = child.values[A_ATOM]!;
  let best: FlowNode | null = null;
  let bestId = Number.POSITIVE_INFINITY;
  for (let taken: FlowEdge | null = edge; taken !== null; taken = takenBefore(taken)) {
    progress.stepsLeft -= 1;
    if ((taken.code !== code && taken.code !== -code) || taken.id > bestId || taken.from.values[A_ATOM] !== a)
      continue;
    const target = outcome(child, taken);
    if (target === null || conflicts(edge.from, target)) continue;
    best = target;
    bestId = taken.id;
  }
  return best;
}

/** The side `child` takes once `taken` was; both compare the same A in the same way. */
function outcome(child: FlowNode, taken: FlowEdge): FlowNode | null {
  const wasTrue = taken.code > 0;
  if (child.comparedValue === taken.from.comparedValue) return wasTrue ? child.onTrue.to : child.onFalse.to;
  // A equals one constant, so it does not equal another.
  if (wasTrue && child.code === (op.JMP | op.JEQ | op.K)) return child.onFalse.to;
  return null;
}

/** Something needed after `target` has another value there than after `from`. */
function conflicts(from: FlowNode, target: FlowNode): boolean {
  for (let rest = target.usedAfter; rest !== 0; rest &= rest - 1) {
    const atom = 31 - Math.clz32(rest & -rest);
    if (from.values[atom] !== target.values[atom]) return true;
  }
  return false;
}
