/** Where the packets of a link between nodes of computes are filtered. */
import type { NodeItem } from "../store/lab/node.ts";
import { computeTypeOf } from "./compute-types.ts";

/**
 * The first end whose compute can filter packets filters those of the link.
 * @param nodes the nodes at the ends, in the link's order. @returns the index of this end, or -1.
 */
export const filteringEnd = (nodes: readonly NodeItem[]): number =>
  nodes.findIndex(({ document }) => computeTypeOf(document.node_type).filters);
