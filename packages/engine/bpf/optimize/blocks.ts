/** Optimises one block: merges its predecessors' values, simplifies its statements and branch, drops unread stores. */
import * as op from "../instructions.ts";
import type { DeadStores } from "./dead-stores.ts";
import { A_ATOM, type FlowEdge, type FlowNode, X_ATOM } from "./graph.ts";
import { simplifyBranch, simplifyPairs } from "./peephole.ts";
import type { Progress } from "./progress.ts";
import type { StatementFolder } from "./statements.ts";
import { UNKNOWN } from "./value-numbers.ts";

/** Without `folder.alter`, statements are only evaluated; pairs, the branch and dead stores are processed in both cases. */
export function optimizeBlock(node: FlowNode, folder: StatementFolder, deadStores: DeadStores): void {
  const { numbers, progress, alter } = folder;
  const { values } = node;
  mergeIncomingValues(node);
  const { [A_ATOM]: aBefore, [X_ATOM]: xBefore } = values;
  const { statements } = node;
  for (let at = 0; at < statements.length; at += 1) folder.execute(statements[at]!, values);

  const changesNothing =
    node.usedAfter === 0 &&
    aBefore !== UNKNOWN &&
    values[A_ATOM] === aBefore &&
    xBefore !== UNKNOWN &&
    values[X_ATOM] === xBefore;
  if (alter && (changesNothing || node.isReturn)) {
    dropStatements(node, progress);
  } else {
    const last = simplifyPairs(node, progress);
    if (last !== null) simplifyBranch(node, last, numbers, progress);
    deadStores.removeFrom(node);
  }
  node.comparedValue = op.sourceOf(node.code) === op.K ? node.k : values[X_ATOM]!;
}

/** An atom's value is known if all incoming edges agree on it. */
function mergeIncomingValues({ firstIn, values }: FlowNode): void {
  for (let atom = 0; atom < values.length; atom += 1) {
    const value = firstIn === null ? UNKNOWN : firstIn.from.values[atom]!;
    values[atom] = value === UNKNOWN || agree(firstIn!, atom, value) ? value : UNKNOWN;
  }
}

function agree(first: FlowEdge, atom: number, value: number): boolean {
  for (let edge = first.nextIn; edge !== null; edge = edge.nextIn) {
    if (edge.from.values[atom] !== value) return false;
  }
  return true;
}

function dropStatements(node: FlowNode, progress: Progress): void {
  if (node.statements.length === 0) return;
  node.statements = [];
  progress.markStatements();
}
