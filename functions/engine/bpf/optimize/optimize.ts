/**
 * The optimiser: the same passes in the same order as libpcap's, so that the program comes out the same. This is more
 * than speed. The optimiser drops loads whose value is not needed and reorders tests, and a load past the end of a packet
 * rejects it; so whether a truncated packet matches can depend on what was optimised. It also finds filters that can
 * never match, which are refused.
 *
 *     passes that only move edges, until nothing moves:   value numbers -> shortcuts -> pull-ups
 *     passes that rewrite statements, until nothing does: value numbers -> folding, peepholes, dead stores
 *     then equal blocks are merged
 *
 * Source of the methods: S. McCanne, V. Jacobson, USENIX Winter 1993, section 5; the passes' order is libpcap 1.10's.
 */
import type { Block } from "../flow.ts";
import { classOf, JMP } from "../instructions.ts";
import { optimizeBlock } from "./blocks.ts";
import { DeadStores } from "./dead-stores.ts";
import { findDominators } from "./dominators.ts";
import { FlowGraph } from "./graph.ts";
import { shortcutEdge } from "./jumps.ts";
import { mergeEqualBlocks } from "./merge.ts";
import { Progress } from "./progress.ts";
import { pullUp } from "./pull-up.ts";
import { StatementFolder } from "./statements.ts";
import { findUses } from "./uses.ts";
import { ValueNumbers } from "./value-numbers.ts";

/** Passes that only reorder branches may swap the same two for ever; so many in a row, and libpcap stops. */
const MAX_BRANCH_ONLY_PASSES = 100;

/**
 * Steps that each of the two loops may take; one is about ten nanoseconds. Enough for some sixty ports or hosts. A larger
 * filter stays partly unoptimised: slower, and on truncated packets perhaps not libpcap's answer (see README.md).
 */
const EDGE_STEPS = 700_000;
const STATEMENT_STEPS = 250_000;

/** Steps that the work on one block in one pass counts for; the rest are edges and tests looked at on the way. */
const STEPS_PER_BLOCK = 25;

/** Edges settle slowly: with fewer passes than these in the budget, moving them is not begun. */
const WORTHWHILE_PASSES = 4;

/** Returns the new root. Changes the blocks. Throws OptimizerFault. */
export function optimize(root: Block): Block {
  const graph = new FlowGraph(root);
  // Over ten thousand blocks, which is some four hundred ports in one filter: left as they are.
  if (passCost(graph.nodes.length) > STATEMENT_STEPS) return root;
  const edges = new Progress(EDGE_STEPS);
  // A few passes that move edges would be lost work; one that rewrites statements always pays.
  if (edges.canPay(WORTHWHILE_PASSES * passCost(graph.nodes.length))) runPasses(graph, edges, false);
  runPasses(graph, new Progress(STATEMENT_STEPS), true);
  mergeEqualBlocks(graph);
  skipDecidedRoot(graph);
  return graph.toBlocks();
}

function passCost(blocks: number): number {
  return blocks * STEPS_PER_BLOCK;
}

function runPasses(graph: FlowGraph, progress: Progress, alter: boolean): void {
  let branchOnlyPasses = 0;
  do {
    progress.startPass();
    runPass(graph, progress, alter);
    branchOnlyPasses = progress.changedStatements ? 0 : branchOnlyPasses + 1;
  } while (
    progress.changed &&
    branchOnlyPasses < MAX_BRANCH_ONLY_PASSES &&
    progress.canPay(passCost(graph.downwards.length))
  );
}

function runPass(graph: FlowGraph, progress: Progress, alter: boolean): void {
  graph.findLevels();
  graph.findInEdges();
  findDominators(graph);
  findUses(graph);
  progress.stepsLeft -= passCost(graph.downwards.length);
  const folder = new StatementFolder(new ValueNumbers(), progress, alter);
  const deadStores = new DeadStores(progress);
  for (const node of graph.downwards) optimizeBlock(node, folder, deadStores);
  if (alter) return;
  const branches = graph.upwards.filter(({ isReturn }) => !isReturn);
  for (const { onTrue, onFalse } of branches) {
    shortcutEdge(onTrue, progress);
    shortcutEdge(onFalse, progress);
  }
  graph.findInEdges();
  for (const node of branches) {
    pullUp(node, "or", progress);
    pullUp(node, "and", progress);
  }
}

/** Starts at the first branch that is one; the statements before it move along, unless only a return is left. */
function skipDecidedRoot(graph: FlowGraph): void {
  const { statements } = graph.root;
  graph.root.statements = [];
  while (classOf(graph.root.code) === JMP && graph.root.onTrue.to === graph.root.onFalse.to) {
    graph.root = graph.root.onTrue.to!;
  }
  graph.root.statements = graph.root.isReturn ? [] : [...statements, ...graph.root.statements];
}
