/**
 * Reordering of `or` and `and` chains. When A already holds what a later test of the chain compares, that test moves up:
 *
 *     A = f; [test f]  else [test g]  else [test f]   becomes   A = f; [test f]  else [test f]  else [test g]
 *
 * so that f need not be loaded again. This changes the order of loads, and so, on truncated packets, the verdict.
 */

import { isAtOrAbove } from "./ancestry.ts";
import { A_ATOM, type FlowEdge, type FlowNode } from "./graph.ts";
import type { Progress } from "./progress.ts";

/** For `or`, the chain runs along false sides and its tests share a true side; for `and`, the other way round. */
export type ChainKind = "or" | "and";

export function pullUp(node: FlowNode, kind: ChainKind, progress: Progress): void {
  const { firstIn } = node;
  if (firstIn === null) return;
  const a = firstIn.from.values[A_ATOM]!;
  for (let edge = firstIn.nextIn; edge !== null; edge = edge.nextIn) {
    if (edge.from.values[A_ATOM] !== a) return;
  }

  // The first test of the chain that compares something else ...
  const start = firstIn.from.onTrue.to === node ? firstIn.from.onTrue : firstIn.from.onFalse;
  const different = findInChain(node, kind, start, progress, a, false);
  if (different === null) return;
  // ... and the next one after it that compares the same again.
  const afterIt = along(different.to!, kind);
  const same = findInChain(node, kind, afterIt, progress, a, true);
  if (same === null) return;

  const pulled = same.to!;
  same.to = along(pulled, kind).to;
  along(pulled, kind).to = different.to;
  if (different === start) redirect(node, pulled);
  else different.to = pulled;
  progress.markBranches();
}

function along(node: FlowNode, kind: ChainKind): FlowEdge {
  return kind === "or" ? node.onFalse : node.onTrue;
}

function sharedSide(node: FlowNode, kind: ChainKind): FlowNode | null {
  return kind === "or" ? node.onTrue.to : node.onFalse.to;
}

/** The edge, from `start` along the chain of `node`, to the first test that compares `a`, or does not; null at its end. */
function findInChain(
  node: FlowNode,
  kind: ChainKind,
  start: FlowEdge,
  progress: Progress,
  a: number,
  wanted: boolean,
): FlowEdge | null {
  const shared = sharedSide(node, kind);
  let edge = start;
  for (;;) {
    const test = edge.to;
    progress.stepsLeft -= 1;
    if (progress.stepsLeft < 0 || test === null) return null;
    if (sharedSide(test, kind) !== shared || !isAtOrAbove(node, test)) return null;
    if ((test.values[A_ATOM] === a) === wanted) return edge;
    edge = along(test, kind);
  }
}

/** Everything that led to `node` leads to `target`. */
function redirect(node: FlowNode, target: FlowNode): void {
  for (let edge = node.firstIn; edge !== null; edge = edge.nextIn) {
    const { onTrue, onFalse } = edge.from;
    if (onTrue.to === node) onTrue.to = target;
    else onFalse.to = target;
  }
}
