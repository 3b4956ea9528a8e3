/** Small rewrites of neighbouring instructions, and of a block's branch with the instruction before it. */
import { REMOVED } from "../assemble.ts";
import { IN_LIST, type Statement } from "../flow.ts";
import * as op from "../instructions.ts";
import { A_ATOM, type FlowNode, X_ATOM } from "./graph.ts";
import type { Progress } from "./progress.ts";
import type { ValueNumbers } from "./value-numbers.ts";

const STORE = op.ST;
const LOAD_X = op.LDX | op.MEM;
const LOAD_CONSTANT = op.LD | op.IMM;
const LOAD_X_CONSTANT = op.LDX | op.IMM;
const LOAD_HEADER_LENGTH = op.LDX | op.MSH | op.B;
const A_TO_X = op.MISC | op.TAX;
const X_TO_A = op.MISC | op.TXA;
const ADD_X = op.ALU | op.ADD | op.X;

/** Returns the index of the first statement at `from` or later that is not removed; -1 if there is none. */
export function nextPresent(statements: readonly Statement[], from: number): number {
  for (let i = from; i < statements.length; i += 1) {
    if (statements[i]!.code !== REMOVED) return i;
  }
  return -1;
}

/**
 * Rewrites, within the block:
 *
 *     st M[k]; ldx M[k]                        st M[k]; tax
 *     ld #k; tax                               ldx #k; txa
 *     ld #k; (ldxb 4*([n]&0xf);) add x; tax; ld [x + o]      (ldxb ...;) ld [x + o + k]
 *
 * Returns the last statement it visited, for `simplifyBranch`; null if the block has no statements.
 */
export function simplifyPairs(node: FlowNode, progress: Progress): Statement | null {
  const { statements } = node;
  let last = statements[0] ?? null;
  if (statements.length < 2) return last;
  for (let at = nextPresent(statements, 0); at >= 0; ) {
    const nextAt = nextPresent(statements, at + 1);
    if (nextAt < 0) break;
    last = statements[nextAt]!;
    const first = statements[at]!;
    const second = statements[nextAt]!;
    if (first.code === STORE && second.code === LOAD_X && first.k === second.k) {
      second.code = A_TO_X;
      progress.markStatements();
    }
    if (first.code === LOAD_CONSTANT && second.code === A_TO_X) {
      first.code = LOAD_X_CONSTANT;
      second.code = X_TO_A;
      progress.markStatements();
    }
    if (first.code === LOAD_CONSTANT) foldIntoIndirectLoad(node, first, nextAt, progress);
    at = nextPresent(statements, nextAt);
  }
  return last;
}

/** Applies the third rewrite above, only if X is not needed later. */
function foldIntoIndirectLoad(node: FlowNode, constant: Statement, nextAt: number, progress: Progress): void {
  if ((node.usedAfter & (1 << X_ATOM)) !== 0) return;
  const { statements } = node;
  const addAt =
    statements[nextAt]!.code === LOAD_HEADER_LENGTH ? nextPresent(statements, nextAt + 1) : nextAt;
  const add = addAt < 0 ? undefined : statements[addAt];
  if (add?.code !== ADD_X) return;
  const taxAt = nextPresent(statements, addAt + 1);
  const tax = taxAt < 0 ? undefined : statements[taxAt];
  if (tax?.code !== A_TO_X) return;
  const loadAt = nextPresent(statements, taxAt + 1);
  const load = loadAt < 0 ? undefined : statements[loadAt];
  if (load === undefined || op.classOf(load.code) !== op.LD || op.modeOf(load.code) !== op.IND) return;
  load.k = (load.k + constant.k) >>> 0;
  constant.code = REMOVED;
  add.code = REMOVED;
  tax.code = REMOVED;
  progress.markStatements();
}

/** Merges the last statement into the branch, and decides branches on known values. */
export function simplifyBranch(
  node: FlowNode,
  last: Statement,
  numbers: ValueNumbers,
  progress: Progress,
): void {
  if (node.code === (op.JMP | op.JEQ | op.K) && (node.usedAfter & (1 << A_ATOM)) === 0) {
    mergeLastStatement(node, last, numbers, progress);
  }
  if (node.code === (op.JMP | op.JSET | op.K)) {
    if (node.k === 0) node.onTrue.to = node.onFalse.to;
    if (node.k === 0xffffffff) node.onFalse.to = node.onTrue.to;
  }
  const x = node.values[X_ATOM]!;
  if (numbers.isConstant(x) && op.sourceOf(node.code) === op.X) {
    node.code &= ~op.X;
    node.k = numbers.constantOf(x);
  }
  const a = node.values[A_ATOM]!;
  if (numbers.isConstant(a) && op.sourceOf(node.code) === op.K) {
    decideBranch(node, numbers.constantOf(a), progress);
  }
}

/** Merges `sub x`, `sub #k` or `and #k` directly before a test of A against a constant. */
function mergeLastStatement(
  node: FlowNode,
  last: Statement,
  numbers: ValueNumbers,
  progress: Progress,
): void {
  switch (last.code) {
    case op.ALU | op.SUB | op.X: {
      const x = node.values[X_ATOM]!;
      if (numbers.isConstant(x)) {
        node.k = (node.k + numbers.constantOf(x)) >>> 0;
      } else if (node.k === 0) {
        node.code = op.JMP | op.JEQ | op.X;
      } else {
        return;
      }
      break;
    }
    case op.ALU | op.SUB | op.K:
      node.k = (node.k + last.k) >>> 0;
      break;
    case op.ALU | op.AND | op.K: {
      if (node.k !== 0) return;
      node.k = last.k;
      node.code = op.JMP | op.JSET | op.K;
      const { to } = node.onTrue;
      node.onTrue.to = node.onFalse.to;
      node.onFalse.to = to;
      break;
    }
    default:
      return;
  }
  last.code = REMOVED;
  progress.markStatements();
}

function decideBranch(node: FlowNode, a: number, progress: Progress): void {
  const { onTrue, onFalse, k, block } = node;
  const operation = op.operationOf(node.code);
  const holds = operation === IN_LIST ? block.list!.values.includes(a) : conditionHolds(operation, a, k);
  if (onTrue.to !== onFalse.to) progress.markStatements();
  if (holds) onFalse.to = onTrue.to;
  else onTrue.to = onFalse.to;
}

function conditionHolds(operation: number, a: number, k: number): boolean {
  switch (operation) {
    case op.JEQ:
      return a === k;
    case op.JGT:
      return a > k;
    case op.JGE:
      return a >= k;
    default:
      return (a & k) !== 0;
  }
}
