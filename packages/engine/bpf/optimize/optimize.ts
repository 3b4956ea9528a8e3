/**
 * The optimiser runs libpcap's passes in libpcap's order, to produce the same program. This affects more than speed. A load
 * past the end of a packet rejects the packet, and the optimiser drops unneeded loads and reorders tests. Therefore the verdict
 * on a truncated packet can depend on the optimisation. The optimiser also detects and rejects filters that can never match.
 *
 *     passes that only move edges, until nothing moves:   value numbers -> shortcuts -> pull-ups
 *     passes that rewrite statements, until nothing does: value numbers -> folding, peepholes, dead stores
 *     then equal blocks are merged
 *
 * Source of the methods: S. McCanne, V. Jacobson, USENIX Winter 1993, section 5; the passes' order is libpcap 1.10's.
 */
import type { Block, Statement } from "../flow.ts";
import { classOf, JMP } from "../instructions.ts";
import { optimizeBlock } from "./blocks.ts";
import { DeadStores } from "./dead-stores.ts";
import { findDominators } from "./dominators.ts";
import { FlowGraph, numberBlocks } from "./graph.ts";
import { ComparedValues, shortcutEdge } from "./jumps.ts";
import { mergeEqualBlocks } from "./merge.ts";
import { Progress } from "./progress.ts";
import { pullUp } from "./pull-up.ts";
import { StatementFolder } from "./statements.ts";
import { findUses } from "./uses.ts";
import { ValueNumbers } from "./value-numbers.ts";

/** Passes that only reorder branches may swap the same two without end; libpcap stops after this many in a row. */
const MAX_BRANCH_ONLY_PASSES = 100;

/**
 * The step limit of each of the two loops. It is enough for about 1,200 instructions: 16 terms like `host 10.0.0.1 and not port
 * 80`, or 30 like `tcp port 80 and host 10.0.0.1`. A long list of ports or hosts is one block (lower/lists.ts). Any other large
 * filter stays partly unoptimised: it is slower, and its verdict on truncated packets may differ (docs/pcap-filter.md).
 */
const EDGE_STEPS = 120_000;
const STATEMENT_STEPS = 60_000;

/** Steps counted per block and per statement in one pass; the other steps are edges and tests visited. */
const STEPS_PER_BLOCK = 25;
const STEPS_PER_STATEMENT = 8;

/**
 * The optimiser skips a graph that needs more steps per pass (over 880 blocks): a first pass of this size takes about ten
 * milliseconds, because V8 has not compiled the code yet.
 */
const MAX_PASS_STEPS = 22_000;

/** Returns the new root. Changes the blocks. Throws OptimizerFault. */
export function optimize(root: Block): Block {
  const blocks = numberBlocks(root, MAX_PASS_STEPS / STEPS_PER_BLOCK);
  if (blocks === null || passSteps(blocks) > MAX_PASS_STEPS) return root;
  const graph = new FlowGraph(blocks);
  runPasses(graph, new Progress(EDGE_STEPS), false);
  runPasses(graph, new Progress(STATEMENT_STEPS), true);
  mergeEqualBlocks(graph);
  skipDecidedRoot(graph);
  return graph.toBlocks();
}

function passSteps(blocks: readonly { readonly statements: readonly Statement[] }[]): number {
  let steps = blocks.length * STEPS_PER_BLOCK;
  for (let at = 0; at < blocks.length; at += 1) steps += blocks[at]!.statements.length * STEPS_PER_STATEMENT;
  return steps;
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
    progress.canPay(passSteps(graph.downwards))
  );
}

function runPass(graph: FlowGraph, progress: Progress, alter: boolean): void {
  graph.findLevels();
  graph.findInEdges();
  findDominators(graph);
  findUses(graph);
  progress.stepsLeft -= passSteps(graph.downwards);
  const folder = new StatementFolder(new ValueNumbers(), progress, alter);
  const deadStores = new DeadStores(progress);
  const { downwards } = graph;
  for (let at = 0; at < downwards.length; at += 1) optimizeBlock(downwards[at]!, folder, deadStores);
  if (!alter) moveEdges(graph, progress);
}

function moveEdges(graph: FlowGraph, progress: Progress): void {
  const { downwards, upwards } = graph;
  const compared = new ComparedValues(progress);
  for (let at = 0; at < downwards.length; at += 1) {
    if (!downwards[at]!.isReturn) compared.add(downwards[at]!);
  }
  for (let at = 0; at < upwards.length; at += 1) {
    const { isReturn, onTrue, onFalse } = upwards[at]!;
    if (isReturn) continue;
    shortcutEdge(onTrue, progress);
    shortcutEdge(onFalse, progress);
  }
  graph.findInEdges();
  for (let at = 0; at < upwards.length; at += 1) {
    if (!upwards[at]!.isReturn) pullUp(upwards[at]!, compared, progress);
  }
}

/** Skips decided branches at the root. Keeps the statements before them, unless only a return remains. */
function skipDecidedRoot(graph: FlowGraph): void {
  const { statements } = graph.root;
  graph.root.statements = [];
  while (classOf(graph.root.code) === JMP && graph.root.onTrue.to === graph.root.onFalse.to) {
    graph.root = graph.root.onTrue.to!;
  }
  graph.root.statements = graph.root.isReturn ? [] : [...statements, ...graph.root.statements];
}
