/**
 * The program while it is built: basic blocks that end in a branch, and tests whose exits are still open.
 *
 *          head                  A test is a piece of that graph with one way in and two sets of edges going out that
 *          ____                  have no target yet. `and`, `or` and `not` only connect edges; they never make code.
 *         |test|-- whenTrue -->  Which loads run, and in which order, is exactly the order of the blocks - and that is
 *         |____|-- whenFalse ->  behaviour, because a load past the end of the packet rejects it at once.
 */
import { JEQ, JMP, K, RET } from "./instructions.ts";

/** One instruction inside a block. Only `protochain` and `geneve` jump inside one; then `jt` and `jf` are set. */
export type Statement = { code: number; k: number; jt: Statement | null; jf: Statement | null };

export class Edge {
  readonly from: Block;
  to: Block | null = null;

  constructor(from: Block) {
    this.from = from;
  }
}

export class Block {
  statements: Statement[];
  /** The branch, or the return, that ends the block. */
  code: number;
  k: number;
  readonly onTrue: Edge = new Edge(this);
  readonly onFalse: Edge = new Edge(this);

  constructor(statements: Statement[], code: number, k: number) {
    this.statements = statements;
    this.code = code;
    this.k = k;
  }
}

export type Test = { head: Block; whenTrue: Edge[]; whenFalse: Edge[] };

/** `k` is taken modulo 2^32. */
export function statement(code: number, k = 0): Statement {
  return { code, k: k >>> 0, jt: null, jf: null };
}

/** A test of A, after `statements`, against the constant `k` (or against X, if the code says so). */
export function branch(statements: Statement[], condition: number, k: number): Test {
  const block = new Block(statements, JMP | condition, k >>> 0);
  return { head: block, whenTrue: [block.onTrue], whenFalse: [block.onFalse] };
}

export function equals(statements: Statement[], k: number): Test {
  return branch(statements, JEQ | K, k);
}

export function returnBlock(k: number): Block {
  return new Block([], RET | K, k);
}

export function connect(edges: readonly Edge[], target: Block): void {
  for (const edge of edges) edge.to = target;
}

/** `second` runs only when `first` is true. Uses both up. */
export function and(first: Test, second: Test): Test {
  connect(first.whenTrue, second.head);
  return { head: first.head, whenTrue: second.whenTrue, whenFalse: join(first.whenFalse, second.whenFalse) };
}

/** `second` runs only when `first` is false. Uses both up. */
export function or(first: Test, second: Test): Test {
  connect(first.whenFalse, second.head);
  return { head: first.head, whenTrue: join(first.whenTrue, second.whenTrue), whenFalse: second.whenFalse };
}

export function not(test: Test): Test {
  return { head: test.head, whenTrue: test.whenFalse, whenFalse: test.whenTrue };
}

/** The smaller list goes into the larger, so long chains stay linear. Order in these lists means nothing. */
function join(a: Edge[], b: Edge[]): Edge[] {
  const [large, small] = a.length >= b.length ? [a, b] : [b, a];
  for (const edge of small) large.push(edge);
  return large;
}
