/**
 * Equal blocks become one: same statements, same branch, same targets. From the returns upwards, so that once a block's
 * targets are merged the block itself can be compared, and one pass over the graph is enough.
 */
import { REMOVED } from "../assemble.ts";
import type { Statement } from "../flow.ts";
import type { FlowEdge, FlowGraph, FlowNode } from "./graph.ts";

export function mergeEqualBlocks(graph: FlowGraph): void {
  graph.findLevels();
  const known = new Map<number, FlowNode[]>();
  for (const node of graph.upwards) {
    retarget(node.onTrue);
    retarget(node.onFalse);
    const hash = hashOf(node);
    const candidates = known.get(hash);
    const equal = candidates?.find((other) => areEqual(node, other));
    node.replacement = equal ?? node;
    if (candidates === undefined) known.set(hash, [node]);
    else if (equal === undefined) candidates.push(node);
  }
}

function retarget(edge: FlowEdge): void {
  if (edge.to !== null) edge.to = edge.to.replacement;
}

function hashOf({ code, k, onTrue, onFalse, statements }: FlowNode): number {
  let hash = mix(mix(mix(code, k), onTrue.to?.id ?? -1), onFalse.to?.id ?? -1);
  for (const item of statements) {
    if (item.code !== REMOVED) hash = mix(mix(hash, item.code), item.k);
  }
  return hash;
}

function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);
}

function areEqual(a: FlowNode, b: FlowNode): boolean {
  if (a.code !== b.code || a.k !== b.k || a.onTrue.to !== b.onTrue.to || a.onFalse.to !== b.onFalse.to)
    return false;
  return areEqualLists(presentIn(a.statements), presentIn(b.statements));
}

function presentIn(statements: readonly Statement[]): readonly Statement[] {
  return statements.filter(({ code }) => code !== REMOVED);
}

function areEqualLists(a: readonly Statement[], b: readonly Statement[]): boolean {
  return a.length === b.length && a.every(({ code, k }, i) => code === b[i]!.code && k === b[i]!.k);
}
