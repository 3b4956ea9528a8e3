/**
 * The optimiser's flow graph: every block and edge is numbered and annotated. Annotations are valid for one pass, which may
 * move edges but neither makes nor renumbers blocks; a block that loses all edges becomes unreachable.
 *
 * Loops here use an index: a large filter is often the first and only one that a process compiles, so V8 has not optimised
 * this code yet, and every step of a for-of allocates an object.
 */
import type { Block, Statement } from "../flow.ts";
import { classOf, LD, LDX, MEM, MEMORY_WORDS, modeOf, ST, STX } from "../instructions.ts";
import { TreeNode } from "./ancestry.ts";

/** An atom holds a value: A, X, or a scratch word, in this order. Sets of atoms are bit masks. */
export const A_ATOM = 0;
export const X_ATOM = 1;
export const ATOMS = 2 + MEMORY_WORDS;

export function memoryAtom(word: number): number {
  return 2 + word;
}

/** @param atoms a non-empty set. */
export function lowestAtom(atoms: number): number {
  return 31 - Math.clz32(atoms & -atoms);
}

export class FlowEdge extends TreeNode {
  readonly id: number;
  readonly from: FlowNode;
  to: FlowNode | null = null;
  /** The code of the branch that this edge leaves, negative on the false side, and the value number of A, which it compares. */
  code = 0;
  a = 0;
  /** The nearest dominating edge that compares the same A, and the nearest such edge on a true side; null if there is none. */
  alike: FlowEdge | null = null;
  alikeTrue: FlowEdge | null = null;
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
  /** A copy, because passes change it. */
  statements: Statement[];
  code: number;
  k: number;
  readonly onTrue: FlowEdge;
  readonly onFalse: FlowEdge;
  readonly isReturn: boolean;

  /** Length of the longest path to a return. */
  level = 0;
  nextInLevel: FlowNode | null = null;
  visit = 0;
  /** The list of edges that lead here; the last one linked comes first. Null: this is the root. */
  firstIn: FlowEdge | null = null;

  /** Sets of atoms: written here before any read, read here before any write, read after this block. */
  killed = 0;
  usedHere = 0;
  usedAfter = 0;

  /** Value number of each atom after the block; 0 is unknown. */
  readonly values: number[];
  /** The operand that the branch compares with A: a constant, or the value number of X. */
  comparedValue = 0;
  /** `isFirstOfA`: no earlier block compares the same A. `isFirstTest`: none compares it with the same value. */
  isFirstOfA = false;
  isFirstTest = false;
  /** Per kind of chain, the edge that leaves the run of tests of one A that begins here; undefined until computed. */
  orRunEnd: FlowEdge | null | undefined = undefined;
  andRunEnd: FlowEdge | null | undefined = undefined;
  /** A pull-up moved this block in the current pass, so its level is stale. */
  isMoved = false;

  /** The block that replaces this block and all equal blocks. */
  replacement: FlowNode | null = null;
  /** Another block with the same hash. */
  nextWithHash: FlowNode | null = null;

  /** @param blocks and atoms: the number of each in the graph. */
  constructor(block: Block, id: number, blocks: number, atoms: number) {
    super();
    this.id = id;
    this.block = block;
    this.statements = block.statements.map(copyStatement);
    this.code = block.code;
    this.k = block.k;
    this.onTrue = new FlowEdge(id, this);
    this.onFalse = new FlowEdge(blocks + id, this);
    this.isReturn = block.onTrue === null;
    this.values = new Array<number>(atoms).fill(0);
  }
}

function copyStatement({ code, k }: Statement): Statement {
  return { code, k, jt: null, jf: null };
}

/** Returns all blocks by id: depth first from the root, true side before false side. Null if there are more than `limit`. */
export function numberBlocks(root: Block, limit: number): Block[] | null {
  const blocks: Block[] = [];
  const stack: Block[] = [root];
  while (stack.length > 0) {
    const block = stack.pop()!;
    if (block.id >= 0) continue;
    if (blocks.length >= limit) return null;
    block.id = blocks.length;
    blocks.push(block);
    if (block.onFalse !== null) stack.push(block.onFalse);
    if (block.onTrue !== null) stack.push(block.onTrue);
  }
  return blocks;
}

export class FlowGraph {
  root: FlowNode;
  /** By id. */
  readonly nodes: readonly FlowNode[];
  #downwards: FlowNode[] = [];
  #upwards: FlowNode[] = [];
  #visit = 0;

  /** @param blocks all blocks, as `numberBlocks` returns them. */
  constructor(blocks: readonly Block[]) {
    // Allocates only the atoms that the program uses: most programs use only A and X.
    const atoms = countAtoms(blocks);
    const nodes: FlowNode[] = [];
    for (let id = 0; id < blocks.length; id += 1)
      nodes.push(new FlowNode(blocks[id]!, id, blocks.length, atoms));
    for (let id = 0; id < nodes.length; id += 1) {
      const { block, isReturn, onTrue, onFalse } = nodes[id]!;
      if (isReturn) continue;
      onTrue.to = nodes[block.onTrue!.id]!;
      onFalse.to = nodes[block.onFalse!.id]!;
    }
    this.nodes = nodes;
    this.root = nodes[0]!;
  }

  /** Writes the optimised statements and edges back to the blocks, and returns the new root. */
  toBlocks(): Block {
    for (const { block, statements, code, k, onTrue, onFalse } of this.nodes) {
      block.statements = statements;
      block.code = code;
      block.k = k;
      block.onTrue = onTrue.to?.block ?? null;
      block.onFalse = onFalse.to?.block ?? null;
    }
    return this.root.block;
  }

  /** Computes the reachable blocks and their levels. A block's level is above those of all its successors. */
  findLevels(): void {
    this.#visit += 1;
    // Each level is a list that starts with the block found last; libpcap visits a level in this order in both directions.
    const levels: FlowNode[] = [];
    const stack: FlowNode[] = [this.root];
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      node.visit = this.#visit;
      const next = unvisitedSuccessor(node, this.#visit);
      if (next === null) {
        stack.pop();
        node.level = node.isReturn ? 0 : Math.max(node.onTrue.to!.level, node.onFalse.to!.level) + 1;
        node.nextInLevel = levels[node.level] ?? null;
        levels[node.level] = node;
      } else {
        stack.push(next);
      }
    }
    this.#upwards = [];
    this.#downwards = [];
    for (let level = 0; level < levels.length; level += 1) {
      appendLevel(this.#upwards, levels[level]!);
      appendLevel(this.#downwards, levels[levels.length - 1 - level]!);
    }
  }

  /** Blocks from the root's level down to the returns: every block precedes its successors. */
  get downwards(): readonly FlowNode[] {
    return this.#downwards;
  }

  /** Blocks from the returns up: every block follows its successors. */
  get upwards(): readonly FlowNode[] {
    return this.#upwards;
  }

  /** Links every reachable block to the edges that lead to it. */
  findInEdges(): void {
    const { nodes } = this;
    for (let id = 0; id < nodes.length; id += 1) nodes[id]!.firstIn = null;
    for (let at = 0; at < this.#downwards.length; at += 1) {
      const { isReturn, onTrue, onFalse } = this.#downwards[at]!;
      if (isReturn) continue;
      linkInto(onTrue.to!, onTrue);
      linkInto(onFalse.to!, onFalse);
    }
  }
}

function appendLevel(order: FlowNode[], first: FlowNode): void {
  for (let node: FlowNode | null = first; node !== null; node = node.nextInLevel) order.push(node);
}

function linkInto(node: FlowNode, edge: FlowEdge): void {
  edge.nextIn = node.firstIn;
  node.firstIn = edge;
}

function unvisitedSuccessor({ onTrue, onFalse }: FlowNode, visit: number): FlowNode | null {
  if (onTrue.to !== null && onTrue.to.visit !== visit) return onTrue.to;
  return onFalse.to !== null && onFalse.to.visit !== visit ? onFalse.to : null;
}

function countAtoms(blocks: readonly Block[]): number {
  let highest = X_ATOM;
  for (let id = 0; id < blocks.length; id += 1) {
    const { statements } = blocks[id]!;
    for (let at = 0; at < statements.length; at += 1) {
      const { code, k } = statements[at]!;
      if (touchesMemory(code)) highest = Math.max(highest, memoryAtom(k));
    }
  }
  return highest + 1;
}

function touchesMemory(code: number): boolean {
  const kind = classOf(code);
  if (kind === ST || kind === STX) return true;
  return (kind === LD || kind === LDX) && modeOf(code) === MEM;
}
