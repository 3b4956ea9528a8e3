/**
 * A tree that finds the lowest common ancestor of two nodes, and tests ancestry, in logarithmic time. Each node points to its
 * parent and to one far ancestor. Source: E. Myers, "An applicative random-access stack", Information Processing Letters 17
 * (1983). The optimiser keeps dominators in two such trees, one of blocks and one of edges; libpcap keeps a bit set per edge.
 */
export class TreeNode {
  /** Null at the root. */
  parent: TreeNode | null = null;
  depth = 0;
  /** A far ancestor; the node itself at the root. */
  jump: TreeNode = this;

  /** Inserts this node below `parent`, whose own position must be final. */
  hang(parent: TreeNode | null): void {
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.jump = parent === null ? this : farAncestor(parent);
  }
}

/** Inserts two nodes below one parent. */
export function hangBoth(a: TreeNode, b: TreeNode, parent: TreeNode): void {
  a.hang(parent);
  b.parent = parent;
  b.depth = a.depth;
  b.jump = a.jump;
}

function farAncestor(parent: TreeNode): TreeNode {
  const { jump } = parent;
  const balanced = parent.depth - jump.depth === jump.depth - jump.jump.depth;
  return balanced ? jump.jump : parent;
}

/** Returns the ancestor of `node` at `depth`, which must not exceed the node's depth. */
function ancestorAt(node: TreeNode, depth: number): TreeNode {
  let at = node;
  while (at.depth > depth) at = at.jump.depth >= depth ? at.jump : at.parent!;
  return at;
}

export function isAtOrAbove(upper: TreeNode, lower: TreeNode): boolean {
  return upper.depth <= lower.depth && ancestorAt(lower, upper.depth) === upper;
}

/** Returns the lowest common ancestor, possibly one of the two nodes. Both must be in the same tree. */
export function lowestAbove(a: TreeNode, b: TreeNode): TreeNode {
  let x = a.depth > b.depth ? ancestorAt(a, b.depth) : a;
  let y = b.depth > a.depth ? ancestorAt(b, a.depth) : b;
  while (x !== y) {
    const far = x.jump !== y.jump;
    x = far ? x.jump : x.parent!;
    y = far ? y.jump : y.parent!;
  }
  return x;
}
