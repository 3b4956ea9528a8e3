import fc from "fast-check";
import { expect, it } from "vitest";
import { isAtOrAbove, lowestAbove, TreeNode } from "../../../../packages/engine/bpf/optimize/ancestry.ts";

/** A random tree; the parent of each node is an earlier node. */
const tree = fc.array(fc.nat(), { minLength: 1, maxLength: 120 }).map((parents) => {
  const nodes = [new TreeNode()];
  for (const [i, parent] of parents.entries()) {
    const node = new TreeNode();
    node.hang(nodes[parent % (i + 1)]!);
    nodes.push(node);
  }
  return nodes;
});

function pathToTop(node: TreeNode): TreeNode[] {
  return node.parent === null ? [node] : [node, ...pathToTop(node.parent)];
}

it("equals the ancestors found by walking up from each node", () => {
  fc.assert(
    fc.property(tree, fc.nat(), fc.nat(), (nodes, i, j) => {
      const a = nodes[i % nodes.length]!;
      const b = nodes[j % nodes.length]!;
      const aboveA = pathToTop(a);

      expect(isAtOrAbove(b, a)).toBe(aboveA.includes(b));
      expect(lowestAbove(a, b)).toBe(pathToTop(b).find((node) => aboveA.includes(node)));
    }),
  );
});
