/**
 * Redirects edges past branches with a known outcome: a branch with equal sides, or a branch whose outcome follows from a
 * dominating branch (the same comparison, or `A = other constant`).
 */
import * as op from "../instructions.ts";
import { takenBefore } from "./dominators.ts";
import { A_ATOM, type FlowEdge, type FlowNode } from "./graph.ts";
import type { Progress } from "./progress.ts";
import { ValueNumbers } from "./value-numbers.ts";

/** The tests of a pass, by the value they compare. */
export class ComparedValues {
  readonly #progress: Progress;
  readonly #lowestLevels: number[] = [];
  readonly #tests = new ValueNumbers();

  constructor(progress: Progress) {
    this.#progress = progress;
  }

  /** Adds a block whose values are known, after all of its predecessors. */
  add(node: FlowNode): void {
    const { code, values, comparedValue, onTrue, onFalse } = node;
    const a = values[A_ATOM]!;
    const before = this.#tests.size;
    this.#tests.of(code, a, comparedValue);
    node.isFirstTest = this.#tests.size > before;
    node.isFirstOfA = this.#lowestLevels[a] === undefined;
    node.isMoved = false;
    node.orRunEnd = undefined;
    node.andRunEnd = undefined;
    this.#lowestLevels[a] = node.level;
    const alike = node.isFirstOfA ? null : nearestWith(a, takenBefore(onTrue), this.#progress);
    describe(onTrue, code, a, alike);
    describe(onFalse, -code, a, alike);
  }

  /** The lowest level of a block that compares this A. */
  lowestLevel(a: number): number {
    return this.#lowestLevels[a] ?? Number.POSITIVE_INFINITY;
  }
}

function describe(edge: FlowEdge, code: number, a: number, alike: FlowEdge | null): void {
  edge.code = code;
  edge.a = a;
  edge.alike = alike;
  edge.alikeTrue = trueFrom(alike);
}

/** Returns the first true side among `edge` and the edges alike before it. */
function trueFrom(edge: FlowEdge | null): FlowEdge | null {
  return edge === null || edge.code > 0 ? edge : edge.alikeTrue;
}

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

/** Returns the implied target of the branch at the end of `edge`. If several edges imply one, libpcap uses the lowest id. */
function impliedTarget(edge: FlowEdge, progress: Progress): FlowNode | null {
  const child = edge.to!;
  if (child.isFirstOfA || progress.stepsLeft < 0) return null;
  let best: FlowNode | null = null;
  let bestId = Number.POSITIVE_INFINITY;
  const nearest = nearestWith(child.values[A_ATOM]!, edge, progress);
  // For the first test of a value, no false side implies an outcome. Lists consist of such tests.
  const onlyTrue = child.isFirstTest;
  for (let taken = onlyTrue ? trueFrom(nearest) : nearest; taken !== null; ) {
    progress.stepsLeft -= 1;
    const target = taken.id > bestId || !comparesLike(child, taken) ? null : outcome(child, taken);
    if (target !== null && !conflicts(edge.from, target)) {
      best = target;
      bestId = taken.id;
    }
    taken = onlyTrue ? taken.alikeTrue : taken.alike;
  }
  return best;
}

function comparesLike({ code }: FlowNode, taken: FlowEdge): boolean {
  return taken.code === code || taken.code === -code;
}

/** Returns the nearest edge that compares this A among `edge` and those that dominate it. */
function nearestWith(a: number, edge: FlowEdge | null, progress: Progress): FlowEdge | null {
  let taken = edge;
  while (taken !== null && taken.a !== a) {
    progress.stepsLeft -= 1;
    taken = takenBefore(taken);
  }
  return taken;
}

/** Returns the side that `child` takes after `taken`; both compare the same A with the same operator. */
function outcome(child: FlowNode, taken: FlowEdge): FlowNode | null {
  const wasTrue = taken.code > 0;
  if (child.comparedValue === taken.from.comparedValue) return wasTrue ? child.onTrue.to : child.onFalse.to;
  // A equals one constant, so it does not equal another.
  if (wasTrue && child.code === (op.JMP | op.JEQ | op.K)) return child.onFalse.to;
  return null;
}

/** Returns true if an atom needed after `target` has a different value after `from`. */
function conflicts(from: FlowNode, target: FlowNode): boolean {
  for (let rest = target.usedAfter; rest !== 0; rest &= rest - 1) {
    const atom = 31 - Math.clz32(rest & -rest);
    if (from.values[atom] !== target.values[atom]) return true;
  }
  return false;
}
