/**
 * Reorders `or` and `and` chains. If A already holds the value that a later test of the chain compares, that test moves up:
 *
 *     A = f; [test f]  else [test g]  else [test f]   becomes   A = f; [test f]  else [test f]  else [test g]
 *
 * which saves a load of f. This changes the order of loads, and therefore the verdict on truncated packets.
 */

import { isAtOrAbove } from "./ancestry.ts";
import { A_ATOM, type FlowEdge, type FlowNode } from "./graph.ts";
import type { ComparedValues } from "./jumps.ts";
import type { Progress } from "./progress.ts";

/** For `or`, the chain runs along false sides and its tests share a true side; for `and`, the other way round. */
export type ChainKind = "or" | "and";

/** A chain: the tests from `node` on that share one side and are reachable only through `node`, and the A that they compare. */
type Chain = {
  readonly node: FlowNode;
  readonly kind: ChainKind;
  readonly shared: FlowNode | null;
  readonly a: number;
};

/** Has an effect only if A is equal on all edges to `node`. Processes the `or` chain, then the `and` chain. */
export function pullUp(node: FlowNode, compared: ComparedValues, progress: Progress): void {
  const { firstIn } = node;
  if (firstIn === null) return;
  const a = firstIn.from.values[A_ATOM]!;
  for (let edge = firstIn.nextIn; edge !== null; edge = edge.nextIn) {
    if (edge.from.values[A_ATOM] !== a) return;
  }
  const lowestLevel = compared.lowestLevel(a);
  pullUpInChain({ node, kind: "or", shared: node.onTrue.to, a }, lowestLevel, progress);
  pullUpInChain({ node, kind: "and", shared: node.onFalse.to, a }, lowestLevel, progress);
}

function pullUpInChain(chain: Chain, lowestLevel: number, progress: Progress): void {
  const { node, kind } = chain;
  const from = node.firstIn!.from;
  // The first test of the chain that compares something else ...
  const start = from.onTrue.to === node ? from.onTrue : from.onFalse;
  const different = findDifferent(chain, start, progress);
  if (different === null) return;
  // ... and the next one after it that compares the same again.
  const same = findSame(chain, different.to!, lowestLevel, progress);
  if (same === null) return;

  const pulled = same.to!;
  same.to = along(pulled, kind).to;
  along(pulled, kind).to = different.to;
  pulled.isMoved = true;
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

/** Returns the edge to the first test that does not compare A, searching from `start`; null if all compare A. */
function findDifferent(chain: Chain, start: FlowEdge, progress: Progress): FlowEdge | null {
  const { node, kind, a } = chain;
  let edge: FlowEdge | null = start;
  let previous = node;
  while (edge !== null) {
    const test: FlowNode | null = edge.to;
    progress.stepsLeft -= 1;
    if (progress.stepsLeft < 0) return null;
    if (!isInChain(chain, test, previous)) edge = null;
    else if (test.values[A_ATOM] === a) edge = nextAfterRun(test, kind);
    else break;
    previous = edge === null ? previous : edge.from;
  }
  if (start.to === node && node.values[A_ATOM] === a) rememberRun(node, kind, edge);
  return edge;
}

/**
 * Returns the next edge along the chain, or the cached edge that leaves the run of equal tests that begins here. The pass visits
 * blocks from the last on, so that it walks a run of hundreds once instead of once per test.
 */
function nextAfterRun(test: FlowNode, kind: ChainKind): FlowEdge | null {
  const runEnd = kind === "or" ? test.orRunEnd : test.andRunEnd;
  return runEnd === undefined ? along(test, kind) : runEnd;
}

function rememberRun(node: FlowNode, kind: ChainKind, end: FlowEdge | null): void {
  if (kind === "or") node.orRunEnd = end;
  else node.andRunEnd = end;
}

/** Returns the edge to the first test after `different` that compares A; null if there is none. */
function findSame(
  chain: Chain,
  different: FlowNode,
  lowestLevel: number,
  progress: Progress,
): FlowEdge | null {
  let previous = different;
  // Levels fall along the chain, except for moved tests: below `lowestLevel`, no further test compares A.
  while (previous.isMoved || previous.level > lowestLevel) {
    const edge = along(previous, chain.kind);
    const test = edge.to;
    progress.stepsLeft -= 1;
    if (progress.stepsLeft < 0 || !isInChain(chain, test, previous)) return null;
    if (test.values[A_ATOM] === chain.a) return edge;
    previous = test;
  }
  return null;
}

/** Returns true if `previous` belongs to the chain and `test` follows it. */
function isInChain(
  { node, kind, shared }: Chain,
  test: FlowNode | null,
  previous: FlowNode,
): test is FlowNode {
  if (test === null || sharedSide(test, kind) !== shared) return false;
  return test.parent === previous || isAtOrAbove(node, test);
}

/** Redirects all edges to `node` to `target`. */
function redirect(node: FlowNode, target: FlowNode): void {
  for (let edge = node.firstIn; edge !== null; edge = edge.nextIn) {
    const { onTrue, onFalse } = edge.from;
    if (onTrue.to === node) onTrue.to = target;
    else onFalse.to = target;
  }
}
