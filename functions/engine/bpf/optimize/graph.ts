/**
 * The flow graph as the optimiser sees it: every block and edge numbered and annotated. Annotations hold for one pass,
 * in which edges may be moved but blocks are neither made nor renumbered; blocks that lose all edges just fall out.
 */
import type { Block, Statement } from "../flow.ts";
import { classOf, LD, LDX, MEM, MEMORY_WORDS, modeOf, ST, STX } from "../instructions.ts";
import { TreeNode } from "./ancestry.ts";

/** What may hold a value: A, X, then the scratch words. Sets of atoms are bit masks. */
export const A_ATOM = 0;
export const X_ATOM = 1;
export const ATOMS = 2 + MEMORY_WORDS;

export function memoryAtom(word: number): number {
  return 2 + word;
}

export class FlowEdge extends TreeNode {
  readonly id: number;
  readonly from: FlowNode;
  to: FlowNode | null = null;
  /** The branch this edge leaves, negative on the false side. */
  code = 0;
  /** The next edge into the same block. */
  nextIn: FlowEdge | null = null;

  constructor(id: number, from: FlowNode) {
    super();
    this.id = id;
    this.from = from;
  }
}

export class FlowNode extends TreeNode {
  readonly id: number;
  readonly block: Block;
  statements: Statement[];
  code: number;
  k: number;
  readonly onTrue: FlowEdge;
  readonly onFalse: FlowEdge;

  /** Longest way to a return. */
  level = 0;
  visit = 0;
  /** The list of edges that lead here; the last one linked comes first. Null: this is the root. */
  firstIn: FlowEdge | null = null;

  /** Sets of atoms: written without being read first, read before written here, read somewhere after this block. */
  killed = 0;
  usedHere = 0;
  usedAfter = 0;

  /** Value number of each atom after the block; 0 is unknown. */
  readonly values: number[];
  /** Value number of what the branch compares A with. */
  comparedValue = 0;

  /** The block that stands for this one and all equal to it. */
  replacement: FlowNode | null = null;

  /** `blocks` and `atoms` are how many there are of each. */
  constructor(block: Block, id: number, blocks: number, atoms: number) {
    super();
    this.id = id;
    this.block = block;
    this.statements = block.statements;
    this.code = block.code;
    this.k = block.k;
    this.onTrue = new FlowEdge(id, this);
    this.onFalse = new FlowEdge(blocks + id, this);
    this.values = new Array<number>(atoms).fill(0);
  }

  get isReturn(): boolean {
    return this.onTrue.to === null;
  }
}

export class FlowGraph {
  root: FlowNode;
  /** All blocks, by id: depth first from the root, true side before false side. */
  readonly nodes: readonly FlowNode[];
  #downwards: FlowNode[] = [];
  #upwards: FlowNode[] = [];
  #visit = 0;

  constructor(root: Block) {
    const ids = numberBlocks(root);
    const blocks = [...ids.keys()];
    // Up to the last one that the program touches; most programs keep to A and X.
    const atoms = countAtoms(blocks);
    this.nodes = blocks.map((block, id) => new FlowNode(block, id, blocks.length, atoms));
    for (const { block, onTrue, onFalse } of this.nodes) {
      if (block.onTrue.to === null) continue;
      onTrue.to = this.nodes[ids.get(block.onTrue.to)!]!;
      onFalse.to = this.nodes[ids.get(block.onFalse.to!)!]!;
    }
    this.root = this.nodes[0]!;
  }

  /** Writes the optimised statements and edges back to the blocks, and returns the new root. */
  toBlocks(): Block {
    for (const { block, statements, code, k, onTrue, onFalse } of this.nodes) {
      block.statements = statements;
      block.code = code;
      block.k = k;
      block.onTrue.to = onTrue.to?.block ?? null;
      block.onFalse.to = onFalse.to?.block ?? null;
    }
    return this.root.block;
  }

  /** Finds the reachable blocks and their levels. A block's level is above all of its successors'. */
  findLevels(): void {
    this.#visit += 1;
    const levels: FlowNode[][] = [];
    const stack: FlowNode[] = [this.root];
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      node.visit = this.#visit;
      const next = unvisitedSuccessor(node, this.#visit);
      if (next === null) {
        stack.pop();
        node.level = node.isReturn ? 0 : Math.max(node.onTrue.to!.level, node.onFalse.to!.level) + 1;
        if (levels.length === node.level) levels.push([]);
        levels[node.level]!.push(node);
      } else {
        stack.push(next);
      }
    }
    // Within a level libpcap goes from the last to the first, in both directions.
    for (const level of levels) level.reverse();
    this.#upwards = levels.flat();
    this.#downwards = levels.reverse().flat();
  }

  /** Blocks from the root's level down to the returns: every block before its successors. */
  get downwards(): readonly FlowNode[] {
    return this.#downwards;
  }

  /** Blocks from the returns up: every block after its successors. */
  get upwards(): readonly FlowNode[] {
    return this.#upwards;
  }

  /** Links every reachable block to the edges that lead to it. */
  findInEdges(): void {
    for (const node of this.nodes) node.firstIn = null;
    for (const { isReturn, onTrue, onFalse } of this.#downwards) {
      if (isReturn) continue;
      linkInto(onTrue.to!, onTrue);
      linkInto(onFalse.to!, onFalse);
    }
  }
}

function linkInto(node: FlowNode, edge: FlowEdge): void {
  edge.nextIn = node.firstIn;
  node.firstIn = edge;
}

function unvisitedSuccessor({ onTrue, onFalse }: FlowNode, visit: number): FlowNode | null {
  if (onTrue.to !== null && onTrue.to.visit !== visit) return onTrue.to;
  return onFalse.to !== null && onFalse.to.visit !== visit ? onFalse.to : null;
}

/** Blocks in the order of their ids. */
function numberBlocks(root: Block): Map<Block, number> {
  const ids = new Map<Block, number>();
  const stack: Block[] = [root];
  while (stack.length > 0) {
    const block = stack.pop()!;
    if (ids.has(block)) continue;
    ids.set(block, ids.size);
    if (block.onFalse.to !== null) stack.push(block.onFalse.to);
    if (block.onTrue.to !== null) stack.push(block.onTrue.to);
  }
  return ids;
}

function countAtoms(blocks: readonly Block[]): number {
  let highest = X_ATOM;
  for (const { statements } of blocks) {
    for (const { code, k } of statements) if (touchesMemory(code)) highest = Math.max(highest, memoryAtom(k));
  }
  return highest + 1;
}

function touchesMemory(code: number): boolean {
  const kind = classOf(code);
  if (kind === ST || kind === STX) return true;
  return (kind === LD || kind === LDX) && modeOf(code) === MEM;
}
