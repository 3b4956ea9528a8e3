/**
 * Merges equal blocks: same statements, same branch, same targets. Works from the returns upwards, so that a block's targets
 * are merged before the block is compared; therefore one pass over the graph is enough.
 */
import type { Statement } from "../flow.ts";
import type { FlowEdge, FlowGraph, FlowNode } from "./graph.ts";
import { nextPresent } from "./peephole.ts";

export function mergeEqualBlocks(graph: FlowGraph): void {
  graph.findLevels();
  const known = new Map<number, FlowNode>();
  const { upwards } = graph;
  for (let at = 0; at < upwards.length; at += 1) {
    const node = upwards[at]!;
    retarget(node.onTrue);
    retarget(node.onFalse);
    const hash = hashOf(node);
    const first = known.get(hash) ?? null;
    const equal = findEqual(node, first);
    node.replacement = equal ?? node;
    if (equal !== null) continue;
    node.nextWithHash = first;
    known.set(hash, node);
  }
}

function findEqual(node: FlowNode, first: FlowNode | null): FlowNode | null {
  let other = first;
  while (other !== null && !areEqual(node, other)) other = other.nextWithHash;
  return other;
}

function retarget(edge: FlowEdge): void {
  if (edge.to !== null) edge.to = edge.to.replacement;
}

function hashOf({ code, k, onTrue, onFalse, statements }: FlowNode): number {
  let hash = mix(mix(mix(code, k), onTrue.to?.id ?? -1), onFalse.to?.id ?? -1);
  for (let at = nextPresent(statements, 0); at >= 0; at = nextPresent(statements, at + 1)) {
    hash = mix(mix(hash, statements[at]!.code), statements[at]!.k);
  }
  return hash;
}

function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);
}

function areEqual(a: FlowNode, b: FlowNode): boolean {
  if (a.code !== b.code || a.k !== b.k || a.onTrue.to !== b.onTrue.to || a.onFalse.to !== b.onFalse.to)
    return false;
  return areEqualLists(a.statements, b.statements);
}

/** Ignores removed statements. */
function areEqualLists(a: readonly Statement[], b: readonly Statement[]): boolean {
  let i = nextPresent(a, 0);
  let j = nextPresent(b, 0);
  while (i >= 0 && j >= 0) {
    if (a[i]!.code !== b[j]!.code || a[i]!.k !== b[j]!.k) return false;
    i = nextPresent(a, i + 1);
    j = nextPresent(b, j + 1);
  }
  return i === j;
}
