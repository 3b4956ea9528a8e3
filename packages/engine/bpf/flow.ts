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

/** An exit of a block without a target. It is discarded once connected, which leaves less for V8's garbage collector. */
export class Edge {
  readonly from: Block;
  /** The side of the branch. */
  readonly side: boolean;
  /** The next edge of the ring of open edges that this one is in. */
  next: Edge = this;

  constructor(from: Block, side: boolean) {
    this.from = from;
    this.side = side;
  }
}

/**
 * A branch condition that BPF lacks: A is one of a list of constants. The assembler expands its block to one JEQ per constant.
 * Until then the optimiser handles hundreds of constants as fast as one.
 */
export const IN_LIST = 0x50;

/** A list without duplicates. Its number is unique in the program: tests with equal numbers compare with the same constants. */
export type ConstantList = { readonly number: number; readonly values: readonly number[] };

/** Marks a block that has no place in the program yet. */
export const UNPLACED = -1;

export class Block {
  /** May be shared with other blocks. */
  statements: readonly Statement[];
  /** The branch or return that ends the block; for IN_LIST, `k` is the number of the list. */
  code: number;
  k: number;
  list: ConstantList | null = null;
  /** The targets of the branch; null in a return, and until the edges are connected. */
  onTrue: Block | null = null;
  onFalse: Block | null = null;

  /** Its number among the blocks of the graph; -1 until they are numbered. */
  id = -1;
  /** Where the assembled block starts, counted from the end of the program. */
  fromEnd = UNPLACED;

  constructor(statements: readonly Statement[], code: number, k: number) {
    this.statements = statements;
    this.code = code;
    this.k = k;
  }
}

/** The open edges are two rings, each identified by any of its edges: joining two rings takes constant time. */
export type Test = { head: Block; whenTrue: Edge; whenFalse: Edge };

/** `k` is taken modulo 2^32. */
export function statement(code: number, k = 0): Statement {
  return { code, k: k >>> 0, jt: null, jf: null };
}

/** A test of A, after `statements`, against the constant `k` (or against X, if the code says so). */
export function branch(statements: readonly Statement[], condition: number, k: number): Test {
  const block = new Block(statements, JMP | condition, k >>> 0);
  return { head: block, whenTrue: new Edge(block, true), whenFalse: new Edge(block, false) };
}

export function equals(statements: readonly Statement[], k: number): Test {
  return branch(statements, JEQ | K, k);
}

/** Tests, after `statements`, whether A is in `list`. */
export function isAmong(statements: readonly Statement[], list: ConstantList): Test {
  const test = branch(statements, IN_LIST | K, list.number);
  test.head.list = list;
  return test;
}

export function returnBlock(k: number): Block {
  return new Block([], RET | K, k);
}

/** Sets the target of all edges of a ring. */
export function connect(ring: Edge, target: Block): void {
  let edge = ring;
  do {
    if (edge.side) edge.from.onTrue = target;
    else edge.from.onFalse = target;
    edge = edge.next;
  } while (edge !== ring);
}

/** `second` runs only when `first` is true. Consumes both tests and returns `first`, modified. */
export function and(first: Test, second: Test): Test {
  connect(first.whenTrue, second.head);
  first.whenTrue = second.whenTrue;
  join(first.whenFalse, second.whenFalse);
  return first;
}

/** `second` runs only when `first` is false. Consumes both tests and returns `first`, modified. */
export function or(first: Test, second: Test): Test {
  connect(first.whenFalse, second.head);
  join(first.whenTrue, second.whenTrue);
  first.whenFalse = second.whenFalse;
  return first;
}

/** Tests one or more values in their order. */
export function anyOf<T>(values: readonly T[], test: (value: T) => Test): Test {
  let all = test(values[0]!);
  for (let at = 1; at < values.length; at += 1) all = or(all, test(values[at]!));
  return all;
}

export function not(test: Test): Test {
  return { head: test.head, whenTrue: test.whenFalse, whenFalse: test.whenTrue };
}

/** Two rings become one. */
function join(a: Edge, b: Edge): void {
  const { next } = a;
  a.next = b.next;
  b.next = next;
}
